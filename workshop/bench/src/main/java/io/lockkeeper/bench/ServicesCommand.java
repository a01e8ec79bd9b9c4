package io.lockkeeper.bench;

import io.lockkeeper.bench.coordinator.Progress;
import io.lockkeeper.bench.coordinator.ServicesCoordinator;
import io.lockkeeper.bench.coordinator.ServicesPlan;
import io.lockkeeper.bench.coordinator.Settings;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.report.ServicesPage;
import io.lockkeeper.bench.results.ResultFiles;
import io.lockkeeper.bench.results.ServiceRow;
import io.lockkeeper.bench.results.ServicesResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures locks under the load of services, and writes results and a page. */
@Command(
    name = "services",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures locks under the load of services, which ask, work, and go away: about 25 minutes.",
      "The page keeps what earlier runs have found at other servers."
    })
final class ServicesCommand implements Callable<Integer> {

  @Mixin private RunOptions run = new RunOptions();

  @Mixin private OutFolder out = new OutFolder();

  @Option(
      names = "--rows",
      split = ",",
      paramLabel = "ROW",
      description = "only these loads: ${COMPLETION-CANDIDATES}")
  private Set<ServiceRow> rows = EnumSet.allOf(ServiceRow.class);

  @Option(
      names = "--contenders",
      split = ",",
      paramLabel = "LOCK",
      description =
          "these locks, of ${COMPLETION-CANDIDATES} (default: those of ${DEFAULT-VALUE} that can"
              + " at this server)")
  private List<Contender> contenders =
      List.of(
          Contender.FLOOR,
          Contender.LOCKKEEPER_LOCK,
          Contender.REDISSON_LOCK,
          Contender.SPRING_REDIS,
          Contender.CURATOR_MUTEX,
          Contender.SPRING_REGISTRY,
          Contender.JETCD_LOCK);

  @Option(
      names = "--processes",
      paramLabel = "N",
      description = "the processes that the clients are in (default: ${DEFAULT-VALUE})")
  private int processes = 1;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "turns of each lock under each load (default: ${DEFAULT-VALUE})")
  private int rounds = 5;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "length of a turn (default: ${DEFAULT-VALUE})")
  private double seconds = 10;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      description =
          "how long a lock is used in loops before its first turn under a load (default:"
              + " ${DEFAULT-VALUE})")
  private double warmUp = 15;

  @Option(
      names = "--idle",
      paramLabel = "S",
      description =
          "how long idle clients are watched; 0 leaves that out (default: ${DEFAULT-VALUE})")
  private double idle = 10;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "for pauses and names (default: ${DEFAULT-VALUE})")
  private long seed = 1;

  @Option(
      names = "--render",
      description = "measures nothing: makes the page from the results of earlier runs")
  private boolean onlyRenders;

  @Override
  public Integer call() throws IOException {
    boolean isTooShort = ServicesResults.isTooShort(rounds, seconds, warmUp);
    Path folder = out.pathFor(isTooShort && !onlyRenders ? ServicesResults.TOO_SHORT : "");
    if (!onlyRenders) {
      measure(folder);
    }
    System.out.println(ServicesPage.write(folder));
    System.out.println("Report: " + folder.resolve(ServicesPage.NAME + ".md"));
    return 0;
  }

  private void measure(Path folder) throws IOException {
    Path log = Files.createTempFile("lockkeeper-bench-", ".log");
    System.out.println("Workers' log: " + log);
    ServicesResults results =
        new ServicesCoordinator(
                plan(log), new Settings(out.commandLine(), run.site(), new Progress(System.out)))
            .run();
    ResultFiles.write(results, ServicesPage.file(folder, run.site()));
  }

  private ServicesPlan plan(Path log) {
    return new ServicesPlan(
        rows,
        contenders.stream().filter(contender -> contender.isAt(run.site())).toList(),
        processes,
        rounds,
        RunOptions.duration(seconds),
        RunOptions.duration(warmUp),
        RunOptions.duration(idle),
        seed,
        run.jvmOptions(),
        log);
  }
}
