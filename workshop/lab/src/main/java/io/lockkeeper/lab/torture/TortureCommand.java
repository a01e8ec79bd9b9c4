package io.lockkeeper.lab.torture;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.Table;
import io.lockkeeper.cli.console.Version;
import io.lockkeeper.cli.console.WaitTime;
import io.lockkeeper.console.Secrets;
import io.lockkeeper.lab.check.RuleResult;
import io.lockkeeper.lab.check.RuleResult.Violation;
import io.lockkeeper.lab.check.Verdict;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.process.Folders;
import io.lockkeeper.servers.ServerStartException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lockkeeper torture}. */
@Command(
    name = "torture",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    resourceBundle = "io.lockkeeper.lab.torture.help")
public final class TortureCommand implements Callable<Integer> {

  private static final int MOST_SHOWN = 5;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private TortureOptions options = new TortureOptions();

  private Verdict total = Verdict.none();
  private long faultCount;
  private final Map<String, Long> faultCounts = new TreeMap<>();
  private int rounds;

  @Override
  public Integer call() throws InterruptedException {
    options.check(spec.commandLine());
    try (StoreUnderTest stage = open()) {
      List<Fault> faults = options.faults(stage, spec.commandLine());
      println(header(stage, faults));
      return run(stage, faults);
    }
  }

  private StoreUnderTest open() {
    try {
      return StoresUnderTest.open(options.store);
    } catch (ServerStartException e) {
      throw new CannotRunException("cannot start " + options.store + ": " + e.getMessage(), e);
    }
  }

  private int run(StoreUnderTest stage, List<Fault> faults) throws InterruptedException {
    long start = System.nanoTime();
    Duration calm = Round.calmTime(stage, faults, options.patience());
    while (true) {
      Duration left = options.time().minusNanos(System.nanoTime() - start);
      if (rounds > 0 && left.compareTo(calm.plus(TortureOptions.SHORTEST_FAULTS)) < 0) {
        break;
      }
      long seed = options.seed() + rounds;
      Path folder = Folders.temporary("lockkeeper-torture-" + seed + "-");
      Workers.Task task = task(stage, folder, seed);
      Round.Outcome outcome = new Round(task, faults, options.faultTime(left, calm)).run();
      count(outcome);
      if (!outcome.verdict().isGood() || !outcome.problems().isEmpty()) {
        return failed(folder, seed, outcome);
      }
      Folders.delete(folder);
    }
    printTotal();
    println(
        "No promise was broken: %,d acquisitions, %,d faults, %d rounds."
            .formatted(total.acquisitions(), faultCount, rounds));
    return ExitStatus.OK;
  }

  private Workers.Task task(StoreUnderTest stage, Path folder, long seed) {
    return new Workers.Task(
        stage,
        options.subject,
        folder,
        "torture-" + seed,
        options.processes,
        options.threads,
        workersSeed -> options.plan(stage, workersSeed),
        options.patience(),
        seed);
  }

  /** Adds what a round brought, and says how far a long run is. */
  private void count(Round.Outcome outcome) {
    rounds++;
    total = total.plus(outcome.verdict());
    faultCount += outcome.faults();
    outcome.history().where(event -> event.kind() == EventKind.FAULT).stream()
        .map(event -> event.note().replaceFirst(" .*", ""))
        .filter(Fault.titles()::contains)
        .forEach(title -> faultCounts.merge(title, 1L, Long::sum));
    PrintWriter err = spec.commandLine().getErr();
    err.println(
        "round %d: %,d acquisitions, %,d faults so far"
            .formatted(rounds, total.acquisitions(), faultCount));
    err.flush();
  }

  private int failed(Path folder, long seed, Round.Outcome outcome) {
    printTotal();
    List<Violation> violations = outcome.verdict().violations();
    violations.stream().limit(MOST_SHOWN).forEach(it -> println(it.toString()));
    if (violations.size() > MOST_SHOWN) {
      println("... and " + (violations.size() - MOST_SHOWN) + " more");
    }
    outcome.problems().forEach(this::println);
    String replay = replay(seed);
    if (!violations.isEmpty()) {
      Path report = options.report == null ? folder.resolve("report.txt") : options.report;
      Folders.write(report, TortureReport.write(outcome, table(), replay));
      println("events:   " + report);
      println("history:  " + folder);
    }
    println("again:    " + replay);
    return violations.isEmpty() ? ExitStatus.CANNOT_RUN : ExitStatus.FAILED;
  }

  /** Returns the command that repeats a round: this one, with the seed of the round. */
  private String replay(long seed) {
    List<String> given = spec.commandLine().getParent().getParseResult().originalArgs();
    String same = String.join(" ", given).replaceAll(" --(seed|report)[ =]\\S+", "");
    return "lockkeeper " + Secrets.hide(same) + " --seed " + seed;
  }

  private String header(StoreUnderTest stage, List<Fault> faults) {
    List<String> names = faults.stream().map(Fault::title).toList();
    return "%s on %s, %d processes of %d threads, for %s, seed %d; faults: %s"
        .formatted(
            options.subject,
            Secrets.hide(stage.name()),
            options.processes,
            options.threads,
            WaitTime.text(options.time()),
            options.seed(),
            names.isEmpty() ? TortureOptions.NONE : String.join(", ", names));
  }

  private List<String> table() {
    Table table = new Table("promise", "what", "checked", "broken", "not promised", "undecided");
    for (RuleResult result : total.results()) {
      table.row(
          result.promise(),
          result.title(),
          "%,d".formatted(result.checked()),
          result.violations().size(),
          result.excused().size(),
          result.undecided());
    }
    return table.lines();
  }

  /** Says what was checked, what there was of each type, and what broke that nobody promises. */
  private void printTotal() {
    println("");
    table().forEach(this::println);
    println("Acquisitions: " + list(total.granted()));
    if (faultCount > 0) {
      println("Faults: " + list(faultCounts));
      println(
          "After a round's last fault nothing that was free was waited for longer than %.2f s."
              .formatted(total.recovery().toNanos() / 1e9));
    }
    List<Violation> excused = total.excused();
    if (!excused.isEmpty()) {
      println(
          "Not promised here: %,d times, after a failover that may forget (docs/stores.md). The first:"
              .formatted(excused.size()));
      println("  " + excused.get(0).text());
    }
  }

  private static String list(Map<?, Long> counts) {
    return counts.entrySet().stream()
        .map(
            it ->
                "%s %,d".formatted(it.getKey().toString().toLowerCase(Locale.ROOT), it.getValue()))
        .collect(Collectors.joining(", "));
  }

  private void println(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }

  /**
   * What was broken, to look at: the events that show it, and the faults and others around them.
   */
  static final class TortureReport {

    private static final int MOST = 10;
    private static final double MARGIN = 0.1;
    private static final long LEAST_MARGIN_NANOS = 20_000_000;

    private TortureReport() {}

    /** Returns the document, a line for each event; a star marks those that show a violation. */
    static String write(Round.Outcome outcome, List<String> table, String replay) {
      List<String> lines = new ArrayList<>(table);
      lines.add("");
      lines.add("The same faults again: " + replay);
      outcome.verdict().violations().stream()
          .limit(MOST)
          .forEach(violation -> add(lines, violation, outcome));
      return String.join("\n", lines) + "\n";
    }

    private static void add(List<String> lines, Violation violation, Round.Outcome outcome) {
      List<Event> evidence = violation.evidence();
      long first = evidence.stream().mapToLong(Event::nanos).min().orElse(0);
      long last = evidence.stream().mapToLong(Event::nanos).max().orElse(0);
      long margin = Math.max(LEAST_MARGIN_NANOS, (long) ((last - first) * MARGIN));
      lines.addAll(List.of("", violation.toString(), ""));
      Stream.concat(
              evidence.stream(),
              outcome
                  .history()
                  .where(it -> List.of("", violation.resource()).contains(it.resource()))
                  .stream()
                  .filter(it -> it.nanos() >= first - margin && it.nanos() <= last + margin))
          .distinct()
          .sorted(Event.BY_TIME)
          .forEach(it -> lines.add(line(it, first, evidence.contains(it))));
    }

    private static String line(Event event, long first, boolean isEvidence) {
      double left = event.untilNanos() == 0 ? 0 : (event.untilNanos() - event.nanos()) / 1e6;
      return String.format(
          Locale.ROOT,
          "%s %12.3f ms  %-12s %-13s token %d, valid for %.3f ms, value %d %s",
          isEvidence ? "*" : " ",
          (event.nanos() - first) / 1e6,
          event.actor(),
          event.kind(),
          event.token(),
          left,
          event.value(),
          event.note());
    }
  }
}
