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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that measures locks beside each other, and writes results and a page. */
abstract class Comparison implements Callable<Integer> {

  private static final int HAND_OVERS = 200;

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

  /** Measures so many rounds of these turns, each after a turn that warms up. */
  Results measure(
      Set<Case> cases,
      int processes,
      List<Integer> threads,
      int rounds,
      Duration turn,
      Duration warmUp)
      throws IOException {
    Path log = Files.createTempFile("lockkeeper-bench-", ".log");
    List<Contender> all =
        Stream.of(Contender.values())
            .filter(it -> contenders.contains(it) && it.isAt(site) && takesPart(it))
            .toList();
    System.out.println("Workers' log: " + log);
    Plan plan = new Plan(cases, all, processes, threads, rounds, turn, warmUp, HAND_OVERS, log);
    return new Coordinator(plan, out.commandLine(), site).run();
  }
}
