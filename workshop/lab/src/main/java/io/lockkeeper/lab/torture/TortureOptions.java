package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.lab.load.LoadPlan;
import io.lockkeeper.lab.load.SubjectProvider;
import io.lockkeeper.lab.process.Ranges;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
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

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "redis",
      description = {
        "The store: one that is started for the run (redis, redis-sentinel, redis-cluster,"
            + " zookeeper, zookeeper-ensemble, etcd, etcd-ensemble, postgresql,"
            + " postgresql-pgbouncer (in transaction mode), postgresql-standby, mariadb, mysql,"
            + " sqlite, memory), if need be with more parameters of its URL"
            + " (redis-sentinel?replicas=2, postgresql-standby?lockkeeper.replication=synchronous);"
            + " or the URL of one that is there; of that one the server is left alone.",
        "Default: ${DEFAULT-VALUE}."
      })
  String store = "redis";

  @Option(
      names = "--faults",
      paramLabel = "NAME",
      split = ",",
      completionCandidates = Titles.class,
      description = {
        "What to break, several separated by commas: ${COMPLETION-CANDIDATES}; or none."
            + " docs/faults.md describes them.",
        "Default: all that can be done to the store."
      })
  private @Nullable List<String> faults;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "1",
      description = "For how long, 0.1 to 1440. Default: ${DEFAULT-VALUE}.")
  private double minutes;

  @Option(
      names = "--processes",
      paramLabel = "N",
      defaultValue = "3",
      description = "Worker processes, 1 to 16. Default: ${DEFAULT-VALUE}.")
  int processes;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "4",
      description = "Threads in each process, 1 to 64. Default: ${DEFAULT-VALUE}.")
  int threads;

  @Option(
      names = "--names",
      paramLabel = "N",
      defaultValue = "2",
      description = {
        "How many locks, how many fair locks and so on, 1 to 64. With few all meet all the time;"
            + " with more there is more to do while one waits for a dead holder's lease.",
        "Default: ${DEFAULT-VALUE}."
      })
  int names;

  @Option(
      names = "--kinds",
      paramLabel = "NAME",
      split = ",",
      description = {
        "What is used, several separated by commas: lock, fair, rw, semaphore, counter, latch.",
        "Default: all, locks and fair locks twice as often as the rest."
      })
  private @Nullable List<ResourceType> kinds;

  @Option(
      names = "--tries",
      paramLabel = "N",
      defaultValue = "25",
      description = {
        "How many acquisitions in a hundred do not wait but try again and again, and hold for a"
            + " moment only, so that names fall idle and begin again, 0 to 100. Default:"
            + " ${DEFAULT-VALUE}."
      })
  private int tries;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "How many acquisitions all threads together begin a second, 0 to 10000; so that several"
            + " runs can go on side by side, or one beside other work.",
        "Default: 0, as many as they can."
      })
  int rate;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "2.5",
      description = {
        "How long a waiter may wait for a free resource while nothing is wrong, 1 to 60. Also, times"
            + " 0.8, how much earlier a request for a fair lock must begin to be the first at the"
            + " store. An overloaded machine needs more.",
        "Default: ${DEFAULT-VALUE}."
      })
  private double patience;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "For all that is random. Default: a new one, which is printed.")
  private @Nullable Long seed;

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      hidden = true,
      description = "Whose locks, where others' are on the class path.")
  String subject = WorkerOrder.OWN;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Where the timeline of a broken promise goes, as HTML. Default: beside the history.")
  @Nullable Path report;

  /** The names of all faults. */
  static final class Titles extends ArrayList<String> {

    private static final long serialVersionUID = 1L;

    Titles() {
      super(Fault.titles());
    }
  }

  /** Returns what each thread does on a store, with a seed to be replaced. */
  LoadPlan plan(StoreUnderTest stage) {
    boolean isOwn = subject.equals(WorkerOrder.OWN);
    List<ResourceType> types =
        !isOwn ? SubjectProvider.find(subject).types(subject) : kinds == null ? ALL_KINDS : kinds;
    return new LoadPlan(
        types,
        names,
        PERMITS,
        LOAD_PATIENCE,
        tries < 100 ? LONGEST_HOLD : MOMENT,
        stage.lease().multipliedBy(4).dividedBy(3),
        stage.rarely(),
        tries < 100 ? LONGEST_PAUSE : MOMENT,
        (double) rate / processes / threads,
        tries / 100.0,
        isOwn,
        0);
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
    Duration most = left.minus(calm);
    if (most.compareTo(SHORTEST_FAULTS) < 0) {
      return SHORTEST_FAULTS;
    }
    return most.compareTo(LONGEST_FAULTS) > 0 ? LONGEST_FAULTS : most;
  }

  /**
   * Returns what to break.
   *
   * @throws ParameterException if that is not possible with this store
   */
  List<Fault> faults(StoreUnderTest stage, CommandLine commandLine) {
    if (faults == null) {
      return Arrays.stream(Fault.values()).filter(fault -> fault.isPossible(stage)).toList();
    }
    List<Fault> wanted = new ArrayList<>();
    for (String name : faults) {
      if (!name.equals(NONE)) {
        wanted.add(find(name, stage, commandLine));
      }
    }
    return wanted;
  }

  private static Fault find(String name, StoreUnderTest stage, CommandLine commandLine) {
    Fault fault =
        Stream.of(Fault.values())
            .filter(it -> it.title().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new ParameterException(
                        commandLine,
                        "Unknown fault '%s'; there are %s, and none"
                            .formatted(name, String.join(", ", Fault.titles()))));
    if (!fault.isPossible(stage)) {
      String why = fault.obstacle(stage).map(it -> ": " + it).orElse("");
      throw new ParameterException(
          commandLine, "The fault " + name + " cannot be done to the store " + stage.name() + why);
    }
    return fault;
  }
}
