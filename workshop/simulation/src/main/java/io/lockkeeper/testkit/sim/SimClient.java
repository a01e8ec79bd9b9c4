package io.lockkeeper.testkit.sim;

import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** One simulated client: a process with its own randomness, and its connections to servers. */
final class SimClient {

  /** So long that no run gives a server up for lost. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final SimRun run;
  private final SimProcess process;
  private final SplittableRandom random;
  private final Environment environment;
  private final List<Runnable> cuts = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();

  SimClient(SimRun run, SimProcess process, SplittableRandom random) {
    this.run = run;
    this.process = process;
    this.random = random;
    this.environment = run.environment(process, random);
  }

  SimProcess process() {
    return process;
  }

  SplittableRandom random() {
    return random;
  }

  /** Returns by which ids servers know it. */
  List<String> ids() {
    return ids;
  }

  /** Connects to a server through a network that fails as the run's plan says. */
  Lockkeeper connect(SimNode node) {
    return connect(node, event -> {});
  }

  /** The same; also reports each acquisition, unless events of tokens are not wanted. */
  Lockkeeper connect(SimNode node, Consumer<LockEvent.Acquired> acquired) {
    SplittableRandom network = random.split();
    Lockkeeper keeper =
        Lockkeeper.builder()
            .clientName(process.toString())
            .lease(Duration.ofMillis(run.plan.leaseMillis()))
            .storeTimeout(PATIENCE)
            .executor(this::execute)
            .listener(new Listener(random.nextBoolean(), acquired))
            .environment(environment)
            .connect(context -> node.open(run, process, network, context));
    ids.add(keeper.clientId());
    cuts.add(() -> node.server().crash(keeper.clientId()));
    return keeper;
  }

  /**
   * Throws now and then. Some are not called for each hold: only then may releases of what is
   * shared be taken back.
   */
  private final class Listener implements LockListener {

    private static final Set<Class<? extends LockEvent>> TELLING_TOKENS =
        Set.of(LockEvent.Acquired.class, LockEvent.HandedOver.class, LockEvent.Released.class);

    private final boolean hearsTokens;
    private final Consumer<LockEvent.Acquired> acquired;

    Listener(boolean hearsTokens, Consumer<LockEvent.Acquired> acquired) {
      this.hearsTokens = hearsTokens;
      this.acquired = acquired;
    }

    @Override
    public void onEvent(LockEvent event) {
      if (event instanceof LockEvent.Acquired got) {
        acquired.accept(got);
      }
      mayThrow();
    }

    @Override
    public boolean wants(Class<? extends LockEvent> kind) {
      return hearsTokens || !TELLING_TOKENS.contains(kind);
    }
  }

  /** Runs a callback, in most runs as an executor should. */
  private void execute(Runnable task) {
    if (!goesWrong()) {
      process.execute(task);
      return;
    }
    switch (random.nextInt(5)) {
      case 0 -> throw SimFault.any(random);
      case 1 -> {
        process.execute(task);
        throw SimFault.any(random);
      }
      case 2 -> {
        process.execute(task);
        process.execute(task);
      }
      case 3 -> task.run();
      default -> process.executeLate(task, random.nextLong(latestNanos()));
    }
  }

  /** Returns how late a callback may be: now and then so late that its lease is over. */
  private long latestNanos() {
    return random.nextInt(4) == 0
        ? 3L * run.plan.leaseMillis() * SimRun.NANOS_PER_MILLI
        : 50 * SimRun.NANOS_PER_MILLI;
  }

  /** Throws, if this is to be: for the end of a callback. */
  void mayThrow() {
    if (goesWrong()) {
      throw SimFault.any(random);
    }
  }

  private boolean goesWrong() {
    return run.isFaulty() && random.nextInt(100) < run.plan.throwPercent();
  }

  /** Dies at once. */
  void crash() {
    run.world.trace(() -> process + " dies");
    process.crash();
    cuts.forEach(Runnable::run);
  }
}
