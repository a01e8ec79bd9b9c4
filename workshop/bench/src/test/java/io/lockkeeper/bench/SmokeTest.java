package io.lockkeeper.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.bench.coordinator.Coordinator;
import io.lockkeeper.bench.coordinator.Plan;
import io.lockkeeper.bench.coordinator.Plan.Case;
import io.lockkeeper.bench.coordinator.Progress;
import io.lockkeeper.bench.coordinator.Settings;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Library;
import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.bench.report.Report;
import io.lockkeeper.bench.results.CommandsResult;
import io.lockkeeper.bench.results.ContestResult;
import io.lockkeeper.bench.results.FootprintResult;
import io.lockkeeper.bench.results.HandOverResult;
import io.lockkeeper.bench.results.ResultFiles;
import io.lockkeeper.bench.results.Results;
import io.lockkeeper.bench.results.Round;
import io.lockkeeper.bench.results.Standing;
import io.lockkeeper.bench.worker.Work;
import io.lockkeeper.servers.EtcdBinary;
import io.lockkeeper.servers.MariaDbServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tiny runs, on real servers: they end, and their counts make sense. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class SmokeTest {

  private static final boolean IS_CI = Boolean.parseBoolean(System.getenv("CI"));

  /** Redisson's write lock is missing: at times one of its last waiters waits for 30 seconds. */
  private static final List<Contender> CONTENDERS =
      List.of(
          Contender.LOCKKEEPER_LOCK,
          Contender.REDISSON_LOCK,
          Contender.LOCKKEEPER_FAIR,
          Contender.REENTRANT_LOCK,
          Contender.LOCKKEEPER_IDLE,
          Contender.LOCKKEEPER_METERED,
          Contender.LOCKKEEPER_READ,
          Contender.LOCKKEEPER_READ_EACH,
          Contender.REDISSON_READ,
          Contender.LOCKKEEPER_WRITE,
          Contender.LOCKKEEPER_WRITE_EACH,
          Contender.LOCKKEEPER_SEMAPHORE,
          Contender.LOCKKEEPER_SEMAPHORE_EACH,
          Contender.REDISSON_SEMAPHORE,
          Contender.REDISSON_EXPIRABLE,
          Contender.LOCKKEEPER_COUNTER,
          Contender.REDISSON_COUNTER,
          Contender.LOCKKEEPER_LATCH,
          Contender.REDISSON_LATCH,
          Contender.LOCKKEEPER_MULTI,
          Contender.REDISSON_MULTI);

  @TempDir Path folder;

  @Test
  void aTinyRunMeasuresTwoLocks() throws IOException {
    List<Contender> locks = List.of(Contender.LOCKKEEPER_LOCK, Contender.REDISSON_LOCK);
    Plan plan =
        plan(EnumSet.of(Case.ONE_LOCK, Case.UNCONTENDED, Case.HAND_OVER, Case.COMMANDS), locks);

    Results results =
        new Coordinator(plan, new Settings("smoke", Site.REDIS, new Progress(System.out))).run();

    assertThat(results.contests()).hasSize(2 + 1).allSatisfy(SmokeTest::assertSane);
    assertThat(results.handOvers()).hasSize(2).allSatisfy(SmokeTest::assertSane);
    assertThat(results.commands()).hasSize(2 * 2).allSatisfy(SmokeTest::assertSane);
    assertThatReportHas(results, locks);
  }

  @Test
  @Tag("slow")
  void aTinyRunMeasuresEveryContenderInEveryCase() throws IOException {
    Results results =
        new Coordinator(
                plan(EnumSet.allOf(Case.class), CONTENDERS),
                new Settings("smoke test", Site.REDIS, new Progress(System.out)))
            .run();

    assertThat(results.contests()).hasSize(2 + 2 + 1 + 1 + 7 + 7 + 2 + 4);
    results.contests().forEach(SmokeTest::assertSane);
    assertThat(results.handOvers()).hasSize(4).allSatisfy(SmokeTest::assertSane);
    assertThat(results.commands()).hasSize(6).allSatisfy(SmokeTest::assertSane);
    assertThat(results.footprints()).hasSize(3).allSatisfy(SmokeTest::assertSane);
    assertThatReportHas(results, CONTENDERS);
  }

  @Test
  void etcdsOwnLockIsMeasuredBesideLockkeeperOnEtcd() throws IOException {
    assumeTrue(IS_CI || EtcdBinary.onPath().isPresent(), EtcdBinary.WHY_NONE);
    Plan plan =
        plan(
            EnumSet.of(Case.ONE_LOCK, Case.UNCONTENDED, Case.HAND_OVER),
            List.of(Contender.LOCKKEEPER_LOCK, Contender.JETCD_LOCK),
            Duration.ofSeconds(1)); // a slow disk may take a tenth of that for each change

    Results results =
        new Coordinator(plan, new Settings("smoke", Site.ETCD, new Progress(System.out))).run();

    assertThat(results.contests()).hasSize(2 + 1).allSatisfy(SmokeTest::assertSane);
    assertThat(results.handOvers()).hasSize(2).allSatisfy(SmokeTest::assertSane);
    new Report(results).write(folder);
    assertThat(folder.resolve("benchmarks-etcd.md"))
        .content()
        .contains("times jetcd's", "synced to disk", "lock and unlock");
  }

  @Test
  @Tag("slow")
  void springIntegrationsLockIsMeasuredBesideLockkeeperOnMariaDb() throws IOException {
    assumeTrue(
        IS_CI || MariaDbServer.binaries().preferred().isPresent(),
        MariaDbServer.binaries().whyNone());
    Plan plan =
        plan(
            EnumSet.of(Case.ONE_LOCK, Case.UNCONTENDED, Case.HAND_OVER),
            List.of(Contender.LOCKKEEPER_LOCK, Contender.SPRING_REGISTRY, Contender.SHEDLOCK));

    Results results =
        new Coordinator(plan, new Settings("smoke", Site.MARIADB, new Progress(System.out))).run();

    assertThat(results.contests()).hasSize(2 + 1).allSatisfy(SmokeTest::assertSane);
    assertThat(results.handOvers()).hasSize(3).allSatisfy(SmokeTest::assertSane);
    new Report(results).write(folder);
    assertThat(folder.resolve("benchmarks-mariadb.md"))
        .content()
        .contains("times Spring Integration's", "MariaDB");
  }

  @Test
  @Tag("slow")
  void curatorsReadWriteLockAndSemaphoreAreMeasuredBesideLockkeepersOnZooKeeper()
      throws IOException {
    List<Contender> contenders =
        List.of(
            Contender.LOCKKEEPER_READ,
            Contender.LOCKKEEPER_READ_EACH,
            Contender.CURATOR_READ,
            Contender.LOCKKEEPER_WRITE,
            Contender.LOCKKEEPER_WRITE_EACH,
            Contender.CURATOR_WRITE,
            Contender.LOCKKEEPER_SEMAPHORE,
            Contender.LOCKKEEPER_SEMAPHORE_EACH,
            Contender.CURATOR_SEMAPHORE);
    Plan plan = plan(EnumSet.of(Case.READ_LOCK, Case.WRITE_LOCK, Case.SEMAPHORE), contenders);

    Results results =
        new Coordinator(plan, new Settings("smoke", Site.ZOOKEEPER, new Progress(System.out)))
            .run();

    assertThat(results.contests()).hasSize(4).allSatisfy(SmokeTest::assertSane);
    new Report(results).write(folder);
    assertThat(folder.resolve("benchmarks-zookeeper.md"))
        .content()
        .contains("times Curator's", "Curator SemaphoreV2", "Curator write lock");
  }

  private Plan plan(Set<Case> cases, List<Contender> contenders) {
    return plan(cases, contenders, Duration.ofMillis(150));
  }

  private Plan plan(Set<Case> cases, List<Contender> contenders, Duration turn) {
    return new Plan(
        cases,
        contenders,
        2,
        List.of(1, 4),
        4,
        1,
        turn,
        Duration.ofMillis(50),
        5,
        10,
        EnumSet.allOf(Work.class),
        Duration.ofMillis(1),
        List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
        folder.resolve("workers.log"));
  }

  private static void assertSane(ContestResult contest) {
    for (Standing standing : contest.standings()) {
      String who = contest.kind() + " " + contest.work() + " " + standing.contender();
      assertThat(standing.problems()).as(who).isEmpty();
      assertThat(standing.rounds()).as(who).hasSize(1);
      Round round = standing.rounds().get(0);
      assertThat(round.perSecond()).as(who).isPositive();
      assertThat(round.most()).as(who).isGreaterThanOrEqualTo(round.least());
      assertThat(round.overlaps()).as(who + ": overlaps").isZero();
      assertThat(round.lostOrders()).as(who + ": lost orders").isZero();
      assertThat(round.latency().maxMicros()).as(who).isPositive();
      if (standing.contender().product() != Library.JDK
          && !Double.isNaN(round.commandsPerAcquisition())) {
        assertThat(round.commandsPerAcquisition()).as(who).isPositive();
      }
    }
  }

  private static void assertSane(HandOverResult result) {
    assertThat(result.problems()).isEmpty();
    assertThat(result.count()).isEqualTo(5);
    assertThat(result.latency().p50Micros()).isPositive();
  }

  private static void assertSane(CommandsResult result) {
    assertThat(result.problems()).isEmpty();
    assertThat(result.totalSent()).as("commands of " + result.contender()).isPositive();
    assertThat(result.sent()).doesNotContainKey("MONITOR");
  }

  private static void assertSane(FootprintResult result) {
    assertThat(result.problems()).isEmpty();
    assertThat(result.waiting()).isEqualTo(10);
    assertThat(result.served()).isEqualTo(10);
    assertThat(result.clientThreads()).isPositive();
    assertThat(result.connections()).isPositive();
  }

  private void assertThatReportHas(Results results, List<Contender> contenders) throws IOException {
    Path file = folder.resolve("benchmarks").resolve("results.json");
    ResultFiles.write(results, file);
    assertThat(ResultFiles.read(file)).isEqualTo(results);
    new Report(results).write(folder);
    String page = Files.readString(folder.resolve("benchmarks.md"));
    contenders.forEach(contender -> assertThat(page).contains(contender.label()));
  }
}
