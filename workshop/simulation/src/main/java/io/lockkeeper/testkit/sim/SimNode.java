package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/** A server in its world: the store in it, and whether it can be reached. */
final class SimNode {

  private final String name;
  private final SimWorld world;
  private final SimServer server;
  private long downUntilNanos;

  private final Set<Claimed> withdrawn = new HashSet<>();

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
    withdrawn.add(new Claimed(clientId, claim));
  }

  /** Returns whether one of a grant's claims had been taken back before. */
  boolean isStray(SimGrant grant) {
    return grant.claims().stream()
        .anyMatch(claim -> withdrawn.contains(new Claimed(grant.clientId(), claim)));
  }

  boolean isDown() {
    return world.nowNanos() < downUntilNanos;
  }

  /** Returns whether its clients ask by requests of their own, which are simulated one by one. */
  boolean isProtocol() {
    return server instanceof SimProtocol;
  }

  /** Opens a client's store, over a network that fails as the run's plan says. */
  Store open(SimRun run, SimProcess process, SplittableRandom network, StoreContext context) {
    return server instanceof SimProtocol protocol
        ? protocol.open(new SimHost(run, process, network, false), context)
        : new SimLink(run, process, network, this, context);
  }

  /** Opens a way in that nothing goes wrong with, for what an operator does. */
  Store operator(SimRun run, SplittableRandom random) {
    return calm(run, "operator", random);
  }

  /** Opens a way in that nothing goes wrong with, for a process of its own. */
  Store calm(SimRun run, String id, SplittableRandom random) {
    SimProcess process = new SimProcess(world, id, 1);
    StoreContext context =
        new StoreContext(id, id, "lockkeeper", Timings.DEFAULT, run.environment(process, random));
    Store store =
        server instanceof SimProtocol protocol
            ? protocol.open(new SimHost(run, process, random.split(), true), context)
            : server.factory().open(context);
    store.listen(NotificationListener.silent());
    return store;
  }

  @Override
  public String toString() {
    return name;
  }
}
