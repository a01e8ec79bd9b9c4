package io.lockkeeper.bench;

import io.lockkeeper.bench.coordinator.Progress;
import io.lockkeeper.bench.coordinator.ServicesCoordinator;
import io.lockkeeper.bench.coordinator.ServicesPlan;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.bench.report.ServicesPage;
import io.lockkeeper.bench.results.ResultFiles;
import io.lockkeeper.bench.results.ServiceRow;
import io.lockkeeper.bench.results.ServicesResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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

  private static final double MILLIS_PER_SECOND = 1e3;

  @Option(
      names = "--at",
      paramLabel = "SERVER",
      description = "${COMPLETION-CANDIDATES}: where (default: ${DEFAULT-VALUE})")
  private Site site = Site.REDIS;

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
      names = "--jvm",
      split = " ",
      paramLabel = "OPTION",
      description = "JVM options of the workers (default: -Xms512m -Xmx1g)")
  private List<String> jvmOptions = List.of("-Xms512m", "-Xmx1g");

  @Option(
      names = "--render",
      description = "measures nothing: makes the page from the results of earlier runs")
  private boolean onlyRenders;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description =
          "gets benchmarks-services.md and a folder of that name (default: ${DEFAULT-VALUE})")
  private Path out = Path.of("lockkeeper-bench/target");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    if (!onlyRenders) {
      measure();
    }
    System.out.println(ServicesPage.write(out));
    System.out.println("Report: " + out.resolve(ServicesPage.NAME + ".md"));
    return 0;
  }

  private void measure() throws IOException {
    boolean isTooShort = ServicesResults.isTooShort(rounds, seconds, warmUp);
    Rules.checkOut(spec, out, isTooShort ? ServicesResults.TOO_SHORT : "");
    Path log = Files.createTempFile("lockkeeper-bench-", ".log");
    System.out.println("Workers' log: " + log);
    ServicesResults results =
        new ServicesCoordinator(plan(log), site, commandLine(), new Progress(System.out)).run();
    ResultFiles.write(results, ServicesPage.file(out, site));
  }

  private ServicesPlan plan(Path log) {
    return new ServicesPlan(
        rows,
        contenders.stream().filter(contender -> contender.isAt(site)).toList(),
        processes,
        rounds,
        duration(seconds),
        duration(warmUp),
        duration(idle),
        seed,
        jvmOptions,
        log);
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * MILLIS_PER_SECOND));
  }

  private String commandLine() {
    return "lockkeeper-bench/run "
        + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
  }
}
