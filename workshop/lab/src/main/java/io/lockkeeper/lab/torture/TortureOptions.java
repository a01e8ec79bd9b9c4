package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.lab.load.LoadPlan;
import io.lockkeeper.lab.load.SubjectProvider;
import io.lockkeeper.lab.process.Ranges;
import io.lockkeeper.lab.torture.Workers.WorkerOrder;
import io.lockkeeper.servers.net.PrivateNetwork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of {@code lockkeeper torture}. */
final class TortureOptions {

  /** What stands for no faults at all. */
  static final String NONE = "none";

  /** The shortest time of faults in a round. */
  static final Duration SHORTEST_FAULTS = Duration.ofSeconds(3);

  private static final Duration LONGEST_FAULTS = Duration.ofSeconds(40);

  /** What the threads of a worker use; locks twice as often as the rest. */
  private static final List<ResourceType> ALL_KINDS =
      List.of(
          ResourceType.LOCK,
          ResourceType.LOCK,
          ResourceType.FAIR,
          ResourceType.FAIR,
          ResourceType.RW,
          ResourceType.SEMAPHORE,
          ResourceType.COUNTER,
          ResourceType.LATCH);

  private static final int PERMITS = 3;
  private static final Duration LOAD_PATIENCE = Duration.ofSeconds(10);
  private static final Duration LONGEST_HOLD = Duration.ofMillis(8);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(15);

  /** A thread that only tries holds and rests for a moment, so that names fall idle. */
  private static final Duration MOMENT = Duration.ofMillis(1);

  private static final double MILLIS_PER_SECOND = 1_000;
  private static final double MILLIS_PER_MINUTE = 60_000;

  @Option(names = "--store", paramLabel = "STORE", defaultValue = "redis")
  String store = "redis";

  @Option(names = "--faults", paramLabel = "NAME", split = ",", completionCandidates = Titles.class)
  private @Nullable List<String> faults;

  @Option(names = "--minutes", paramLabel = "N", defaultValue = "1")
  private double minutes;

  @Option(names = "--processes", paramLabel = "N", defaultValue = "3")
  int processes;

  @Option(names = "--threads", paramLabel = "N", defaultValue = "4")
  int threads;

  @Option(names = "--names", paramLabel = "N", defaultValue = "2")
  int names;

  @Option(names = "--kinds", paramLabel = "NAME", split = ",")
  private @Nullable List<ResourceType> kinds;

  @Option(names = "--tries", paramLabel = "N", defaultValue = "25")
  private int tries;

  @Option(names = "--rate", paramLabel = "N", defaultValue = "0")
  int rate;

  @Option(names = "--patience", paramLabel = "SECONDS", defaultValue = "2.5")
  private double patience;

  @Option(names = "--seed", paramLabel = "S")
  private @Nullable Long seed;

  @Option(names = "--subject", paramLabel = "NAME", hidden = true)
  String subject = WorkerOrder.OWN;

  @Option(names = "--report", paramLabel = "FILE")
  @Nullable Path report;

  /** The names of all faults. */
  static final class Titles extends ArrayList<String> {

    private static final long serialVersionUID = 1L;

    Titles() {
      super(Fault.titles());
    }
  }

  /** Returns what each thread of a worker with this seed does on a store. */
  LoadPlan plan(StoreUnderTest stage, long workersSeed) {
    boolean isOwn = subject.equals(WorkerOrder.OWN);
    List<ResourceType> types =
        !isOwn
            ? List.of(SubjectProvider.find(subject).types().get(subject))
            : kinds == null ? ALL_KINDS : kinds;
    return new LoadPlan(
        types,
        names,
        PERMITS,
        LOAD_PATIENCE,
        tries < 100 ? LONGEST_HOLD : MOMENT,
        stage.lease.multipliedBy(4).dividedBy(3),
        stage.rarely,
        tries < 100 ? LONGEST_PAUSE : MOMENT,
        (double) rate / processes / threads,
        tries / 100.0,
        isOwn,
        workersSeed);
  }

  Duration time() {
    return Duration.ofMillis((long) (minutes * MILLIS_PER_MINUTE));
  }

  /** Returns for how long what is free may be waited for while nothing is wrong. */
  Duration patience() {
    return Duration.ofMillis((long) (patience * MILLIS_PER_SECOND));
  }

  long seed() {
    if (seed == null) {
      seed = ThreadLocalRandom.current().nextLong(1, 1_000_000_000);
    }
    return seed;
  }

  /**
   * Checks the numbers, and that there are such locks.
   *
   * @throws ParameterException if something is wrong
   */
  void check(CommandLine commandLine) {
    Ranges.check(commandLine, "--minutes", minutes, 0.1, 1_440);
    Ranges.check(commandLine, "--processes", processes, 1, 16);
    Ranges.check(commandLine, "--threads", threads, 1, 64);
    Ranges.check(commandLine, "--names", names, 1, 64);
    Ranges.check(commandLine, "--tries", tries, 0, 100);
    Ranges.check(commandLine, "--rate", rate, 0, 10_000);
    Ranges.check(commandLine, "--patience", patience, 1, 60);
    try {
      if (!subject.equals(WorkerOrder.OWN)) {
        SubjectProvider.find(subject);
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(commandLine, e.getMessage(), e);
    }
  }

  /** Returns for how long to break things in a round, given the time that is left. */
  Duration faultTime(Duration left, Duration calm) {
    return Collections.max(
        List.of(SHORTEST_FAULTS, Collections.min(List.of(LONGEST_FAULTS, left.minus(calm)))));
  }

  /**
   * Returns what to break.
   *
   * @throws ParameterException if that is not possible with this store
   */
  List<Fault> faults(StoreUnderTest stage, CommandLine commandLine) {
    if (faults == null) {
      return Arrays.stream(Fault.values()).filter(stage::can).toList();
    }
    return faults.stream()
        .filter(name -> !name.equals(NONE))
        .map(name -> find(name, stage, commandLine))
        .toList();
  }

  private static Fault find(String name, StoreUnderTest stage, CommandLine commandLine) {
    if (!Fault.titles().contains(name)) {
      String all = String.join(", ", Fault.titles());
      throw new ParameterException(
          commandLine, "Unknown fault '" + name + "'; there are " + all + ", and none");
    }
    Fault fault = Fault.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    if (!stage.can(fault)) {
      boolean isOfMachine = fault == Fault.PARTITION && stage.can(Fault.SILENT_SERVER);
      String why = isOfMachine ? PrivateNetwork.obstacle().map(it -> ": " + it).orElse("") : "";
      throw new ParameterException(
          commandLine, "The fault " + name + " cannot be done to the store " + stage.name() + why);
    }
    return fault;
  }
}
