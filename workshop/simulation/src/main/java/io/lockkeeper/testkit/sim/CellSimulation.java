package io.lockkeeper.testkit.sim;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Registration;
import io.lockkeeper.VersionedValue;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * One run with cells: many clients of one counter, one shared value and one latch, through lost,
 * repeated and late requests, lost notifications, pauses and crashes. In the end the counter must
 * be exact, every listener must have heard the last value, and everybody must have been let
 * through.
 */
public final class CellSimulation extends SimRun {

  private final SimNode node;
  private final List<CellActor> actors = new ArrayList<>();
  private final List<SimProcess> processes = new ArrayList<>();
  private final List<Lockkeeper> keepers = new ArrayList<>();
  private final List<CompletableFuture<Void>> waiters = new ArrayList<>();
  private final List<Registration> registrations = new ArrayList<>();

  /** The version that each client's listener heard last. */
  private final long[] heard;

  private CellSimulation(long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    super(seed, coverage);
    this.heard = new long[plan.clients()];
    this.node = node("server", servers);
  }

  /**
   * Runs one simulation; throws a {@link SimViolation} with the seed if a promise is broken.
   *
   * @param servers makes a store that takes its time from the given source
   * @return how many steps it took
   */
  public static long run(long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    CellSimulation simulation = new CellSimulation(seed, servers, coverage);
    simulation.play();
    return simulation.world.steps();
  }

  @Override
  void begin() {
    for (int i = 0; i < plan.clients(); i++) {
      begin(i);
    }
    // The first client never dies: plans have fewer crashes than clients, and the last ones crash.
    setLatch((plan.clients() - plan.crashes()) * plan.actors() * plan.rounds());
  }

  /** Sets the latch directly: the method of the API would stop the world while it waits. */
  private void setLatch(int count) {
    Store store = node.operator(this, random);
    CellId latch = new CellId(CellKind.LATCH, CellActor.NAME);
    CellChange create = new CellChange.Create(CellValue.of(count), 0);
    store
        .update(new CellUpdate(latch, 1, List.of(create), 1_000))
        .whenComplete(
            (made, failure) -> {
              actors.forEach(CellActor::start);
              store.close();
            });
  }

  private void begin(int index) {
    SimClient client = client("client" + index);
    Lockkeeper keeper = client.connect(node);
    processes.add(client.process());
    keepers.add(keeper);
    boolean mayCrash = index >= plan.clients() - plan.crashes();
    for (int i = 0; i < plan.actors(); i++) {
      actors.add(new CellActor(client, keeper, plan, !mayCrash));
    }
    registrations.add(
        keeper.sharedValue(CellActor.NAME).onChange(value -> heard(client, index, value)));
    waiters.add(keeper.countDownLatch(CellActor.NAME).awaitAsync().toCompletableFuture());
    if (mayCrash) {
      world.at(earlyNanos(), null, client::crash);
    }
  }

  private void heard(SimClient client, int index, Optional<VersionedValue> value) {
    long version = value.map(VersionedValue::version).orElse(0L);
    if (version < heard[index]) {
      throw new SimViolation("a listener heard version " + version + " after " + heard[index]);
    }
    heard[index] = version;
    client.mayThrow();
  }

  @Override
  boolean isDone() {
    if (!actors.stream().allMatch(CellActor::isDone)) {
      return false;
    }
    long last = actors.stream().mapToLong(CellActor::lastVersion).max().orElse(0);
    for (int i = 0; i < plan.clients(); i++) {
      if (!processes.get(i).isCrashed() && (heard[i] < last || !waiters.get(i).isDone())) {
        return false;
      }
    }
    return true;
  }

  /** Asks for the number, and lets time pass until it is here. */
  private long answer(Lockkeeper keeper) {
    CompletableFuture<Long> number =
        keeper.counter(CellActor.NAME).getAsync().toCompletableFuture();
    while (!number.isDone()) {
      stepOrFail();
    }
    return number.join();
  }

  private void check(long number) {
    int started = actors.stream().mapToInt(CellActor::started).sum();
    int finished = actors.stream().mapToInt(CellActor::finished).sum();
    boolean isExact = number == finished && started == finished;
    if (number < finished || number > started || (plan.crashes() == 0 && !isExact)) {
      throw new SimViolation(
          "the counter is " + number + " after " + finished + " of " + started + " increments");
    }
    for (int i = 0; i < plan.clients(); i++) {
      if (!processes.get(i).isCrashed() && waiters.get(i).isCompletedExceptionally()) {
        throw new SimViolation("client " + i + " was not let through");
      }
    }
  }

  @Override
  long stuckAfterNanos() {
    return 2 * FAULTS_NANOS + PATIENCE_NANOS;
  }

  /** Without listeners and waiters nothing must go on for ever. */
  @Override
  void done() {
    check(answer(keepers.get(0)));
    registrations.forEach(Registration::close);
  }
}
