package io.lockkeeper.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.bench.Plan.Case;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.servers.EtcdBinary;
import io.lockkeeper.servers.MariaDbServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
          Contender.LOCKKEEPER_READ_EACH,
          Contender.REDISSON_READ,
          Contender.LOCKKEEPER_WRITE_EACH,
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
    Plan plan = plan(EnumSet.of(Case.ONE_LOCK, Case.UNCONTENDED, Case.HAND_OVER), locks);

    Results results = new Coordinator(plan, "smoke", Site.REDIS).run();

    assertThat(results.contests()).hasSize(2 + 1).allSatisfy(SmokeTest::assertSane);
    assertThat(results.handOvers()).hasSize(2).allSatisfy(SmokeTest::assertSane);
    assertThatReportHas(results, locks);
  }

  @Test
  @Tag("slow")
  void aTinyRunMeasuresEveryContenderInEveryCase() throws IOException {
    Results results =
        new Coordinator(plan(EnumSet.allOf(Case.class), CONTENDERS), "smoke test", Site.REDIS)
            .run();

    assertThat(results.contests()).hasSize(2 + 2 + 1 + 6 + 6 + 2);
    results.contests().forEach(SmokeTest::assertSane);
    assertThat(results.handOvers()).hasSize(4).allSatisfy(SmokeTest::assertSane);
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

    Results results = new Coordinator(plan, "smoke", Site.ETCD).run();

    assertThat(results.contests()).hasSize(2 + 1).allSatisfy(SmokeTest::assertSane);
    assertThat(results.handOvers()).hasSize(2).allSatisfy(SmokeTest::assertSane);
    Page.write(folder, results);
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

    Results results = new Coordinator(plan, "smoke", Site.MARIADB).run();

    assertThat(results.contests()).hasSize(2 + 1).allSatisfy(SmokeTest::assertSane);
    assertThat(results.handOvers()).hasSize(3).allSatisfy(SmokeTest::assertSane);
    Page.write(folder, results);
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
            Contender.LOCKKEEPER_READ_EACH,
            Contender.CURATOR_READ,
            Contender.LOCKKEEPER_WRITE_EACH,
            Contender.CURATOR_WRITE,
            Contender.LOCKKEEPER_SEMAPHORE_EACH,
            Contender.CURATOR_SEMAPHORE);
    Plan plan = plan(EnumSet.of(Case.READ_LOCK, Case.WRITE_LOCK, Case.SEMAPHORE), contenders);

    Results results = new Coordinator(plan, "smoke", Site.ZOOKEEPER).run();

    assertThat(results.contests()).hasSize(3).allSatisfy(SmokeTest::assertSane);
    Page.write(folder, results);
    assertThat(folder.resolve("benchmarks-zookeeper.md"))
        .content()
        .contains("times Curator's", "Curator SemaphoreV2", "Curator write lock");
  }

  @Test
  void aTinyRunMeasuresServicesAndIdleClients() throws IOException {
    List<Contender> contenders = List.of(Contender.FLOOR, Contender.LOCKKEEPER_LOCK);

    Results results = services(Site.REDIS, contenders);
    results.write(Page.servicesFile(folder, Site.REDIS));

    assertThat(Page.writeServices(folder))
        .content()
        .contains("**Redis**", "## Idle clients")
        .contains(Kind.ONE_NAME.title(0, 0))
        .contains(contenders.stream().map(Contender::label).toList());
  }

  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void everyContenderServesEverywhere(Site site) {
    List<Contender> contenders =
        Stream.of(
                Contender.FLOOR,
                Contender.LOCKKEEPER_LOCK,
                Contender.REDISSON_LOCK,
                Contender.SPRING_REDIS,
                Contender.CURATOR_MUTEX,
                Contender.SPRING_REGISTRY,
                Contender.JETCD_LOCK)
            .filter(it -> it.isAt(site))
            .toList();

    services(site, contenders);
  }

  private Results services(Site site, List<Contender> contenders) {
    Plan plan =
        plan(EnumSet.of(Case.FEW, Case.ONE_NAME, Case.IDLE), contenders, Duration.ofMillis(300));
    Results results = new Coordinator(plan, "smoke", site).run();

    assertThat(results.contests()).hasSize(2);
    for (ContestResult contest : results.contests()) {
      // A turn of this length may pass without any acquisition where the machine is busy.
      assertThat(contest.standings())
          .hasSize(contenders.size())
          .allSatisfy(it -> assertThat(it.problems()).isEmpty());
    }
    assertThat(results.idle())
        .hasSize(contenders.size())
        .allSatisfy(it -> assertThat(it.problems()).isEmpty());
    return results;
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
        1,
        turn,
        Duration.ofMillis(50),
        5,
        folder.resolve("workers.log"));
  }

  private static void assertSane(ContestResult contest) {
    for (Standing standing : contest.standings()) {
      String who = contest.kind() + " " + contest.work() + " " + standing.contender();
      assertThat(standing.problems()).as(who).isEmpty();
      assertThat(standing.rounds()).as(who).hasSize(1);
      Round round = standing.rounds().get(0);
      assertThat(round.perSecond()).as(who).isPositive();
      assertThat(round.lostOrders()).as(who + ": lost orders").isZero();
      assertThat(round.latency().maxMicros()).as(who).isPositive();
      assertThat(round.serverCpuMicros()).as(who).isNotNegative();
    }
  }

  private static void assertSane(HandOverResult result) {
    assertThat(result.problems()).isEmpty();
    assertThat(result.count()).isEqualTo(5);
    assertThat(result.latency().p50Micros()).isPositive();
  }

  private void assertThatReportHas(Results results, List<Contender> contenders) throws IOException {
    Path file = folder.resolve("benchmarks").resolve("results.json");
    results.write(file);
    assertThat(Results.read(file)).isEqualTo(results);
    Page.write(folder, results);
    String page = Files.readString(folder.resolve("benchmarks.md"));
    contenders.forEach(contender -> assertThat(page).contains(contender.label()));
  }
}
