package io.lockkeeper.bench;

import io.lockkeeper.bench.Plan.Case;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.bench.locks.Sort;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command line of the benchmark. Without a command it compares locks and other synchronizers in
 * loops.
 */
@Command(
    name = "workshop/bench/run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Measures Lockkeeper and other lock libraries side by side: about an hour on Redis, 20"
            + " minutes elsewhere; with --quick 7.",
    subcommands = {ServicesCommand.class, GrowthCommand.class})
public final class Bench extends Comparison {

  @Option(names = "--quick", description = "shorter and fewer turns, not to be quoted")
  private boolean quick;

  @Option(
      names = "--cases",
      split = ",",
      paramLabel = "CASE",
      description = "only these: ${COMPLETION-CANDIDATES}")
  private Set<Case> cases = EnumSet.range(Case.ONE_LOCK, Case.FLEET);

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      description = "threads in all processes together (default: 1,2,8,32,100; quick: 1,8,100)")
  private @Nullable List<Integer> threads;

  /** Runs the command line and exits with its status. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  boolean takesPart(Contender contender) {
    return contender.sort() != Sort.SERVICE;
  }

  @Override
  Results measure() throws IOException {
    List<Integer> counts = quick ? List.of(1, 8, 100) : List.of(1, 2, 8, 32, 100);
    return measure(
        cases,
        2,
        threads != null ? threads : counts,
        quick ? 2 : 5,
        quick ? Duration.ofMillis(600) : Duration.ofSeconds(3),
        quick ? Duration.ofMillis(300) : Duration.ofSeconds(5));
  }

  @Override
  Path file(Path folder, Site site) {
    return folder.resolve(site.page()).resolve("results.json");
  }

  @Override
  Path writePage(Path folder, Site site) throws IOException {
    return Page.write(folder, Results.read(file(folder, site)));
  }
}
