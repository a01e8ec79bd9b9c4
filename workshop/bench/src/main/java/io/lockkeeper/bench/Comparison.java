package io.lockkeeper.bench;

import io.lockkeeper.bench.Plan.Case;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that measures locks beside each other, and writes results and a page. */
abstract class Comparison implements Callable<Integer> {

  private static final double MILLIS_PER_SECOND = 1e3;

  @Mixin private OutFolder out = new OutFolder();

  @Option(
      names = "--at",
      paramLabel = "SERVER",
      description = "${COMPLETION-CANDIDATES}: where (default: ${DEFAULT-VALUE})")
  private Site site = Site.REDIS;

  @Option(
      names = "--contenders",
      split = ",",
      paramLabel = "LOCK",
      description = "only these: ${COMPLETION-CANDIDATES}")
  private List<Contender> contenders = List.of(Contender.values());

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "turns of each lock in each contest (default: 5; quick: 2)")
  private @Nullable Integer rounds;

  @Option(names = "--seconds", paramLabel = "S", description = "length of a turn")
  private @Nullable Double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      description = "length of the turn before the first that counts")
  private @Nullable Double warmUp;

  /** Returns whether a contender takes part by default. */
  abstract boolean takesPart(Contender contender);

  /** Measures what the options ask for. */
  abstract Results measure() throws IOException;

  /** Returns where the results of a site are, in the folder of the page. */
  abstract Path file(Path folder, Site site);

  /** Writes a page of the results that are in a folder, and returns it. */
  abstract Path writePage(Path folder, Site site) throws IOException;

  @Override
  public Integer call() throws IOException {
    measure().write(file(out.path(), site));
    System.out.println("Report: " + writePage(out.path(), site));
    return 0;
  }

  /**
   * Measures.
   *
   * @param quick whether what is not asked for is short
   * @return the results
   */
  Results measure(
      Set<Case> cases,
      int processes,
      List<Integer> threads,
      Duration turn,
      Duration before,
      boolean quick)
      throws IOException {
    Path log = Files.createTempFile("lockkeeper-bench-", ".log");
    Plan plan =
        new Plan(
            cases,
            Stream.of(Contender.values())
                .filter(it -> contenders.contains(it) && it.isAt(site) && takesPart(it))
                .toList(),
            processes,
            threads,
            rounds != null ? rounds : quick ? 2 : 5,
            seconds == null ? turn : duration(seconds),
            warmUp == null ? before : duration(warmUp),
            quick ? 100 : 200,
            log);
    System.out.println("Workers' log: " + log);
    return new Coordinator(plan, out.commandLine(), site).run();
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * MILLIS_PER_SECOND));
  }
}
