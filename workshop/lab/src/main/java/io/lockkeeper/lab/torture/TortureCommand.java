package io.lockkeeper.lab.torture;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.Table;
import io.lockkeeper.cli.console.Version;
import io.lockkeeper.cli.console.WaitTime;
import io.lockkeeper.console.Secrets;
import io.lockkeeper.lab.check.RuleResult;
import io.lockkeeper.lab.check.Verdict;
import io.lockkeeper.lab.check.Violation;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.process.Folders;
import io.lockkeeper.servers.ServerStartException;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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

  /** The promises that are judged by how long something took. */
  private static final Set<String> TIMED = Set.of("W1", "W9");

  /** How many threads may want a processor before times say little. */
  private static final double BUSY = 4;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private TortureOptions options = new TortureOptions();

  private Verdict total = Verdict.none();
  private long faultCount;
  private final Map<String, Long> faultCounts = new TreeMap<>();
  private int rounds;

  @Override
  public Integer call() throws InterruptedException {
    options.check(spec.commandLine());
    Path folder;
    int status;
    try (StoreUnderTest stage = open()) {
      List<Fault> faults = options.faults(stage, spec.commandLine());
      folder = newFolder();
      println(header(stage, faults));
      status = run(stage, faults, folder);
    }
    if (status == ExitStatus.OK) {
      Folders.delete(folder);
    }
    return status;
  }

  private StoreUnderTest open() {
    try {
      return StoresUnderTest.open(options.store);
    } catch (ServerStartException e) {
      throw new CannotRunException("cannot start " + options.store + ": " + e.getMessage(), e);
    }
  }

  private int run(StoreUnderTest stage, List<Fault> faults, Path folder)
      throws InterruptedException {
    long start = System.nanoTime();
    Duration calm = Round.calmTime(stage, faults, options.patience());
    while (true) {
      Duration left = options.time().minusNanos(System.nanoTime() - start);
      if (rounds > 0 && left.compareTo(calm.plus(TortureOptions.SHORTEST_FAULTS)) < 0) {
        break;
      }
      Duration faultTime = options.faultTime(left, calm);
      long seed = options.seed() + rounds;
      Round.Outcome outcome = round(stage, faults, folder, seed, faultTime);
      if (!outcome.verdict().isGood() || !outcome.problems().isEmpty()) {
        return failed(folder, seed, outcome);
      }
    }
    println("");
    table(total).forEach(this::println);
    counts(total).forEach(this::println);
    println(
        "No promise was broken: %,d acquisitions, %,d faults, %d rounds."
            .formatted(total.acquisitions(), faultCount, rounds));
    return ExitStatus.OK;
  }

  private Round.Outcome round(
      StoreUnderTest stage, List<Fault> faults, Path folder, long seed, Duration faultTime)
      throws InterruptedException {
    Path here = subfolder(folder, seed);
    rounds++;
    Workers.Task task =
        new Workers.Task(
            stage,
            options.subject,
            here,
            "torture-" + seed,
            options.processes,
            options.threads,
            options.plan(stage),
            options.patience(),
            seed);
    Round.Outcome outcome = new Round(task, faults, faultTime).run();
    total = total.plus(outcome.verdict());
    faultCount += outcome.faults();
    outcome.history().where(event -> event.kind() == EventKind.FAULT).stream()
        .map(event -> event.note().replaceFirst(" .*", ""))
        .filter(Fault.titles()::contains)
        .forEach(title -> faultCounts.merge(title, 1L, Long::sum));
    if (outcome.verdict().isGood() && outcome.problems().isEmpty()) {
      Folders.delete(here);
    }
    milestone();
    return outcome;
  }

  private int failed(Path folder, long seed, Round.Outcome outcome) {
    println("");
    table(total).forEach(this::println);
    counts(total).forEach(this::println);
    List<Violation> violations = outcome.verdict().violations();
    violations.stream().limit(MOST_SHOWN).forEach(it -> println(it.toString()));
    if (violations.size() > MOST_SHOWN) {
      println("... and " + (violations.size() - MOST_SHOWN) + " more");
    }
    outcome.problems().forEach(this::println);
    if (violations.stream().anyMatch(it -> TIMED.contains(it.promise()))) {
      doubt().ifPresent(this::println);
    }
    String replay = replay(seed);
    if (!violations.isEmpty()) {
      Path report = options.report == null ? folder.resolve("report.html") : options.report;
      write(report, TortureReport.write(outcome, table(total), replay));
      println("timeline: " + report);
      println("history:  " + subfolder(folder, seed));
    }
    println("again:    " + replay);
    return violations.isEmpty() ? ExitStatus.CANNOT_RUN : ExitStatus.FAILED;
  }

  /** Returns what speaks against a finding about times: a machine with far too much to do. */
  private static Optional<String> doubt() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    double perProcessor = system.getSystemLoadAverage() / system.getAvailableProcessors();
    return perProcessor < BUSY
        ? Optional.empty()
        : Optional.of(
            "The machine is busy (%.0f threads want each processor): it may be that what waited too"
                    .formatted(perProcessor)
                + " long waited for the machine. Try again on a quieter one.");
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

  private static List<String> table(Verdict verdict) {
    Table table = new Table("promise", "what", "checked", "broken", "not promised", "undecided");
    for (RuleResult result : verdict.results()) {
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

  /** Says what there was of each type, and what went wrong that nobody promises. */
  private List<String> counts(Verdict verdict) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Acquisitions: "
            + verdict.granted().entrySet().stream()
                .map(
                    entry ->
                        "%s %,d"
                            .formatted(
                                entry.getKey().name().toLowerCase(Locale.ROOT), entry.getValue()))
                .collect(Collectors.joining(", ")));
    if (!faultCounts.isEmpty()) {
      lines.add(
          "Faults: "
              + faultCounts.entrySet().stream()
                  .map(entry -> "%s %,d".formatted(entry.getKey(), entry.getValue()))
                  .collect(Collectors.joining(", ")));
    }
    if (faultCount > 0) {
      lines.add(
          "After a round's last fault nothing that was free was waited for longer than %.2f s."
              .formatted(verdict.recovery().toNanos() / 1e9));
    }
    List<Violation> excused = verdict.excused();
    if (!excused.isEmpty()) {
      lines.add(
          "Not promised here: %,d times, after a failover that may forget (docs/stores.md). The first:"
              .formatted(excused.size()));
      lines.add("  " + excused.get(0).text());
    }
    return lines;
  }

  /** Says how far a long run is. */
  private void milestone() {
    PrintWriter err = spec.commandLine().getErr();
    err.println(
        "round %d: %,d acquisitions, %,d faults so far"
            .formatted(rounds, total.acquisitions(), faultCount));
    err.flush();
  }

  private static Path newFolder() {
    try {
      return Files.createTempDirectory("lockkeeper-torture-");
    } catch (IOException e) {
      throw new CannotRunException("no temporary folder: " + e.getMessage(), e);
    }
  }

  private static Path subfolder(Path folder, long seed) {
    try {
      return Files.createDirectories(folder.resolve("seed-" + seed));
    } catch (IOException e) {
      throw new CannotRunException("no folder for the history: " + e.getMessage(), e);
    }
  }

  private static void write(@Nullable Path file, String text) {
    try {
      if (file != null) {
        Files.writeString(file, text);
      }
    } catch (IOException e) {
      throw new CannotRunException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private void println(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
