package io.lockkeeper.bench;

import io.lockkeeper.bench.Plan.Case;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Sort;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the comparison and writes results and report. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Runs the comparison: about an hour on Redis, 20 minutes elsewhere; with --quick 7. This is"
            + " the default.")
final class RunCommand extends Comparison {

  @Option(
      names = "--quick",
      description = "shorter and fewer turns; the page says that they are too short")
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

  @Override
  boolean takesPart(Contender contender) {
    return contender.sort() != Sort.SERVICE;
  }

  @Override
  public Integer call() throws IOException {
    Results results =
        measure(
            cases,
            2,
            threads != null ? threads : quick ? List.of(1, 8, 100) : List.of(1, 2, 8, 32, 100),
            quick ? Duration.ofMillis(600) : Duration.ofSeconds(3),
            quick ? Duration.ofMillis(300) : Duration.ofSeconds(5),
            quick);
    results.write(out.path().resolve(site.page()).resolve("results.json"));
    System.out.println("Report: " + new Page(results).write(out.path()));
    return 0;
  }
}
