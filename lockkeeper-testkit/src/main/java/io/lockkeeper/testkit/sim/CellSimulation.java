package io.lockkeeper.testkit.sim;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Registration;
import io.lockkeeper.VersionedValue;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * One run with cells: many clients of one counter, one shared value and one latch, through lost,
 * repeated and late requests, lost hints, pauses and crashes. In the end the counter must be exact,
 * every listener must have heard the last value, and everybody must have been let through.
 */
public final class CellSimulation {

  private static final int MAX_DRIFT_PER_MILLE = 4;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long FAULTS_NANOS = 20_000 * NANOS_PER_MILLI;
  private static final long PATIENCE_NANOS = 60_000 * NANOS_PER_MILLI;
  private static final int MAX_STEPS = 2_000_000;

  private final SplittableRandom random;
  private final SimPlan plan;
  private final SimWorld world = new SimWorld();
  private final SimServer server;
  private final List<CellActor> actors = new ArrayList<>();
  private final List<SimProcess> processes = new ArrayList<>();
  private final List<Lockkeeper> keepers = new ArrayList<>();
  private final List<CompletableFuture<Void>> waiters = new ArrayList<>();
  private final List<Registration> registrations = new ArrayList<>();

  /** The version that each client's listener heard last. */
  private final long[] heard;

  private boolean faulty;

  private CellSimulation(long seed, Function<TimeSource, SimServer> servers) {
    this.random = new SplittableRandom(seed);
    this.plan = SimPlan.draw(random);
    this.faulty = plan.isFaulty();
    this.heard = new long[plan.clients()];
    this.server = servers.apply(new SimProcess(world, "server", rate()));
  }

  /**
   * Runs one simulation; throws a {@link SimViolation} with the seed if a promise is broken.
   *
   * @param servers makes a store that takes its time from the given source
   * @return how many steps it took
   */
  public static long run(long seed, Function<TimeSource, SimServer> servers) {
    CellSimulation simulation = new CellSimulation(seed, servers);
    try {
      simulation.run();
      return simulation.world.steps();
    } catch (RuntimeException | AssertionError broken) {
      throw new SimViolation(
          "seed "
              + seed
              + ", step "
              + simulation.world.steps()
              + ": "
              + broken.getMessage()
              + "; "
              + simulation.plan,
          broken);
    }
  }

  private double rate() {
    return 1 + random.nextInt(-MAX_DRIFT_PER_MILLE, MAX_DRIFT_PER_MILLE + 1) / 1000.0;
  }

  private void run() {
    for (int i = 0; i < plan.clients(); i++) {
      startClient(i);
    }
    // The first client never dies: plans have fewer crashes than clients, and the last ones crash.
    int counts = (plan.clients() - plan.crashes()) * plan.actors() * plan.rounds();
    setLatch(counts);
    world.at(FAULTS_NANOS, null, () -> faulty = false);
    actors.forEach(CellActor::start);
    while (!isDone()) {
      stepOrFail();
    }
    check(answer(keepers.get(0)));
    comeToRest();
  }

  /** Sets the latch directly: the method of the API would stop the world while it waits. */
  private void setLatch(int count) {
    SimProcess process = new SimProcess(world, "operator", 1);
    Environment environment = new Environment(process, process::scheduler, random.split());
    Store store =
        server
            .factory()
            .open(
                new StoreContext(
                    "operator", "operator", "lockkeeper", Timings.DEFAULT, environment));
    store.listen(new SilentListener());
    CellId latch = new CellId(CellKind.LATCH, CellActor.NAME);
    CellChange create = new CellChange.Create(CellValue.of(count), 0);
    store.update(new CellUpdate(latch, 1, List.of(create), 1_000)).toCompletableFuture().join();
    store.close();
  }

  private void startClient(int index) {
    SimProcess process = new SimProcess(world, "client" + index, rate());
    SplittableRandom own = random.split();
    Environment environment = new Environment(process, process::scheduler, own.split());
    SplittableRandom network = own.split();
    Lockkeeper keeper =
        Lockkeeper.builder()
            .clientName("client" + index)
            .storePatience(Duration.ofMinutes(10))
            .executor(process::execute)
            .environment(environment)
            .connect(
                context ->
                    new SimLink(
                        world,
                        process,
                        network,
                        plan,
                        server.factory().open(context),
                        context.clientId(),
                        () -> faulty));
    processes.add(process);
    keepers.add(keeper);
    boolean mayCrash = index >= plan.clients() - plan.crashes();
    for (int i = 0; i < plan.actors(); i++) {
      actors.add(new CellActor(process, keeper, own.split(), plan, !mayCrash));
    }
    registrations.add(keeper.sharedValue(CellActor.NAME).onChange(value -> heard(index, value)));
    waiters.add(keeper.countDownLatch(CellActor.NAME).awaitAsync().toCompletableFuture());
    if (mayCrash) {
      world.at(random.nextLong(FAULTS_NANOS / 20), null, () -> crash(process, keeper));
    }
  }

  private void crash(SimProcess process, Lockkeeper keeper) {
    process.crash();
    server.crash(keeper.clientId());
  }

  private void heard(int index, Optional<VersionedValue> value) {
    long version = value.map(VersionedValue::version).orElse(0L);
    if (version < heard[index]) {
      String what = "a listener heard version " + version + " after " + heard[index];
      world.at(
          world.nowNanos(),
          null,
          () -> { // what a listener throws is caught
            throw new SimViolation(what);
          });
    }
    heard[index] = version;
  }

  private boolean isDone() {
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

  /** Without listeners and waiters nothing must go on for ever. */
  private void comeToRest() {
    registrations.forEach(Registration::close);
    while (world.step()) {
      if (world.steps() > MAX_STEPS) {
        throw new SimViolation("does not come to rest");
      }
    }
  }

  private void stepOrFail() {
    if (!world.step()) {
      throw new SimViolation("nothing is going to happen, and somebody still waits");
    }
    if (world.nowNanos() > 2 * FAULTS_NANOS + PATIENCE_NANOS) {
      throw new SimViolation("somebody has not got anywhere for long after the last fault");
    }
    if (world.steps() > MAX_STEPS) {
      throw new SimViolation("busy without end");
    }
  }
}
