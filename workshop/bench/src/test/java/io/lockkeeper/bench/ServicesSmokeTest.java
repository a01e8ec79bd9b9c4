package io.lockkeeper.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.bench.coordinator.Progress;
import io.lockkeeper.bench.coordinator.ServicesCoordinator;
import io.lockkeeper.bench.coordinator.ServicesPlan;
import io.lockkeeper.bench.coordinator.Settings;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.bench.report.ServicesPage;
import io.lockkeeper.bench.results.IdleResult;
import io.lockkeeper.bench.results.ResultFiles;
import io.lockkeeper.bench.results.ServiceResult;
import io.lockkeeper.bench.results.ServiceRound;
import io.lockkeeper.bench.results.ServiceRow;
import io.lockkeeper.bench.results.ServiceStanding;
import io.lockkeeper.bench.results.ServicesResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tiny runs of services, on real servers: they end, and their figures make sense. */
@Tag("full")
class ServicesSmokeTest {

  private static final List<Contender> CONTENDERS =
      List.of(
          Contender.FLOOR,
          Contender.LOCKKEEPER_LOCK,
          Contender.REDISSON_LOCK,
          Contender.SPRING_REDIS,
          Contender.CURATOR_MUTEX,
          Contender.SPRING_REGISTRY,
          Contender.JETCD_LOCK);

  @TempDir Path folder;

  @Test
  void aTinyRunOnRedisMeasuresServicesAndIdleClients() throws IOException {
    List<Contender> contenders = List.of(Contender.FLOOR, Contender.LOCKKEEPER_LOCK);
    ServicesResults results =
        run(Site.REDIS, List.of(ServiceRow.FEW, ServiceRow.CROWDED), contenders, 2);

    assertThat(results.rows()).hasSize(2).allSatisfy(ServicesSmokeTest::assertSane);
    assertThat(results.idle()).hasSize(2).allSatisfy(ServicesSmokeTest::assertSane);
    assertThat(results.wasTooShort()).isTrue();

    Path file = ServicesPage.file(folder, Site.REDIS);
    ResultFiles.write(results, file);
    assertThat(ResultFiles.readServices(file)).isEqualTo(results);
    assertThat(ServicesPage.write(folder))
        .contains(ServicesResults.TOO_SHORT, "**Redis**", "## Idle clients")
        .contains(contenders.stream().map(Contender::label).toList());
    assertThat(Files.readString(folder.resolve("benchmarks-services.md")))
        .contains(ServiceRow.CROWDED.title());
  }

  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void everyContenderServesEverywhere(Site site) throws IOException {
    List<Contender> contenders = CONTENDERS.stream().filter(it -> it.isAt(site)).toList();

    ServicesResults results =
        run(site, List.of(ServiceRow.ALONE, ServiceRow.MANY, ServiceRow.ONE_NAME), contenders, 1);

    assertThat(results.rows()).hasSize(3).allSatisfy(ServicesSmokeTest::assertSane);
    assertThat(results.idle()).hasSize(contenders.size()).allSatisfy(ServicesSmokeTest::assertSane);
  }

  private ServicesResults run(
      Site site, List<ServiceRow> rows, List<Contender> contenders, int processes)
      throws IOException {
    ServicesPlan plan =
        new ServicesPlan(
            rows,
            contenders,
            processes,
            2,
            Duration.ofMillis(300),
            Duration.ofMillis(100),
            Duration.ofMillis(100),
            7,
            List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
            folder.resolve("workers.log"));
    return new ServicesCoordinator(plan, new Settings("smoke", site, new Progress(System.out)))
        .run();
  }

  private static void assertSane(ServiceResult result) {
    for (ServiceStanding standing : result.standings()) {
      String what = result.row() + " " + standing.contender();
      assertThat(standing.problems()).as(what).isEmpty();
      assertThat(standing.overlaps()).as(what).isZero();
      assertThat(standing.rounds()).as(what).hasSize(2);
      // A turn of this length may pass without any acquisition where the machine is busy.
      if (result.row().names() == 1) {
        assertThat(standing.most(ServiceRound::heldShare)).as(what).isBetween(0.0, 1.0);
      }
    }
  }

  private static void assertSane(IdleResult result) {
    assertThat(result.problems()).isEmpty();
    assertThat(result.clients()).isPositive();
  }
}
