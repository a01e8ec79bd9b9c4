package io.lockkeeper.bench;

import io.lockkeeper.bench.coordinator.Coordinator;
import io.lockkeeper.bench.coordinator.Plan;
import io.lockkeeper.bench.coordinator.Plan.Case;
import io.lockkeeper.bench.coordinator.Progress;
import io.lockkeeper.bench.coordinator.Settings;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Sort;
import io.lockkeeper.bench.report.Report;
import io.lockkeeper.bench.report.Targets;
import io.lockkeeper.bench.results.ResultFiles;
import io.lockkeeper.bench.results.Results;
import io.lockkeeper.bench.results.Setting;
import io.lockkeeper.bench.worker.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the comparison and writes results and report. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Runs the comparison: about an hour on Redis, 20 minutes elsewhere; with --quick 7. This is"
            + " the default.")
final class RunCommand implements Callable<Integer> {

  private static final double NANOS_PER_MILLI = 1e6;

  @Mixin private RunOptions run = new RunOptions();

  @Mixin private OutFolder out = new OutFolder();

  @Option(
      names = "--quick",
      description = "shorter and fewer turns; the page says that they are too short")
  private boolean quick;

  @Option(
      names = "--cases",
      split = ",",
      paramLabel = "CASE",
      description = "only these: ${COMPLETION-CANDIDATES}")
  private Set<Case> cases = EnumSet.allOf(Case.class);

  @Option(
      names = "--contenders",
      split = ",",
      paramLabel = "LOCK",
      description = "only these: ${COMPLETION-CANDIDATES}")
  private List<Contender> contenders = List.of(Contender.values());

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      description = "threads in all processes together (default: 1,2,8,32,100; quick: 1,8,100)")
  private @Nullable List<Integer> threads;

  @Option(
      names = "--processes",
      paramLabel = "N",
      description = "worker processes (default: ${DEFAULT-VALUE})")
  private int processes = 2;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "turns of each lock in each contest (default: 5; quick: 2)")
  private @Nullable Integer rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "length of a turn (default: 3; quick: 0.6)")
  private @Nullable Double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      description = "length of the turn before the first that counts (default: 5; quick: 0.3)")
  private @Nullable Double warmUp;

  @Option(
      names = "--waiters",
      paramLabel = "N",
      description = "threads that wait when they are weighed (default: 1000; quick: 200)")
  private @Nullable Integer waiters;

  @Option(
      names = "--hand-overs",
      paramLabel = "N",
      description = "in each round (default: 200; quick: 100)")
  private @Nullable Integer handOvers;

  @Option(
      names = "--work",
      split = ",",
      paramLabel = "WORK",
      description =
          "what a fleet does besides, on Redis: ${COMPLETION-CANDIDATES} (default: all of them)")
  private Set<Work> work = EnumSet.allOf(Work.class);

  @Option(
      names = "--delay",
      paramLabel = "MS",
      description =
          "how much later every byte arrives, each way, for a fleet far away; 0 leaves that out"
              + " (default: ${DEFAULT-VALUE})")
  private double delayMillis = 1;

  @Override
  public Integer call() throws IOException {
    Path log = Files.createTempFile("lockkeeper-bench-", ".log");
    Plan plan = plan(log);
    boolean isTooShort =
        Setting.isTooShort(
            plan.rounds(), RunOptions.seconds(plan.turn()), RunOptions.seconds(plan.warmUp()));
    Path folder = out.pathFor(isTooShort ? Setting.TOO_SHORT : "");
    Progress progress = new Progress(System.out);
    Results results =
        new Coordinator(plan, new Settings(out.commandLine(), run.site(), progress)).run();
    ResultFiles.write(results, folder.resolve(run.site().page()).resolve("results.json"));
    new Report(results).write(folder);
    Targets.of(results).forEach(target -> System.out.println(target.line()));
    if (isTooShort) {
      System.out.println(Setting.TOO_SHORT);
    }
    System.out.println(
        "Report: " + folder.resolve(run.site().page() + ".md") + ", workers' log: " + log);
    return 0;
  }

  private Plan plan(Path log) {
    return new Plan(
        cases,
        contenders.stream().filter(it -> it.isAt(run.site()) && it.sort() != Sort.SERVICE).toList(),
        processes,
        threads != null ? threads : quick ? List.of(1, 8, 100) : List.of(1, 2, 8, 32, 100),
        32,
        rounds != null ? rounds : quick ? 2 : 5,
        RunOptions.duration(seconds != null ? seconds : quick ? 0.6 : 3),
        RunOptions.duration(warmUp != null ? warmUp : quick ? 0.3 : 5),
        handOvers != null ? handOvers : quick ? 100 : 200,
        waiters != null ? waiters : quick ? 200 : 1000,
        work,
        Duration.ofNanos(Math.round(delayMillis * NANOS_PER_MILLI)),
        run.jvmOptions(),
        log);
  }
}
