package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** A server in its world: the store in it, and whether it can be reached. */
final class SimNode {

  private final String name;
  private final SimWorld world;
  private final SimServer server;
  private long downUntilNanos;

  /** What was taken back, and since when a copy of it is here nevertheless. */
  private final Map<Claimed, Long> withdrawn = new HashMap<>();

  /** A claim of a client. */
  private record Claimed(String clientId, long claim) {}

  SimNode(String name, SimWorld world, SimServer server) {
    this.name = name;
    this.world = world;
    this.server = server;
  }

  SimServer server() {
    return server;
  }

  /** Does not hear anything for so long; it keeps what it knows. */
  void fail(long forNanos) {
    world.trace(() -> name + " is down for " + forNanos / 1_000 + " us");
    downUntilNanos = Math.max(downUntilNanos, world.nowNanos() + forNanos);
    world.at(downUntilNanos, null, server::reconnect);
  }

  /** Notes that a claim was taken back, whether it was there or not. */
  void withdrew(String clientId, long claim) {
    withdrawn.put(new Claimed(clientId, claim), Long.MAX_VALUE);
  }

  /** Notes that a claim has come, maybe a copy of one that was taken back. */
  void claimed(String clientId, long claim) {
    withdrawn.computeIfPresent(
        new Claimed(clientId, claim), (id, since) -> Math.min(since, world.nowNanos()));
  }

  /**
   * Returns for how long one of a grant's claims has been here against its client's will: because a
   * copy of it came after it had been taken back. 0 if none has.
   */
  long strayNanos(SimGrant grant) {
    long since = Long.MAX_VALUE;
    for (long claim : grant.claims()) {
      since =
          Math.min(
              since, withdrawn.getOrDefault(new Claimed(grant.clientId(), claim), Long.MAX_VALUE));
    }
    return since == Long.MAX_VALUE ? 0 : world.nowNanos() - since + 1;
  }

  boolean isDown() {
    return world.nowNanos() < downUntilNanos;
  }

  /** Opens a way in that nothing goes wrong with, for what an operator does. */
  Store operator(SimRun run, SplittableRandom random) {
    SimProcess process = new SimProcess(world, "operator", 1);
    Store store =
        server
            .factory()
            .open(
                new StoreContext(
                    "operator",
                    "operator",
                    "lockkeeper",
                    Timings.DEFAULT,
                    run.environment(process, random)));
    store.listen(new SilentListener());
    return store;
  }

  @Override
  public String toString() {
    return name;
  }
}
