package io.lockkeeper.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.bench.ContestPlan.Work;
import io.lockkeeper.bench.Standing.Latency;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReportTest {

  private static final Setting SETTING =
      new Setting(
          "run",
          "machine",
          "jdk",
          Site.REDIS,
          "redis",
          new TreeMap<>(),
          "-Xmx1g",
          0.5,
          1,
          3,
          5,
          1,
          60);

  private static final Path DOCUMENTS = Path.of("../../docs");

  @TempDir Path folder;

  @Test
  void aRatioIsTheMedianOfTheRatiosWithinTheRounds() {
    Standing fast = standing(Contender.LOCKKEEPER_LOCK, 100, 1000, 10, 90);
    Standing slow = standing(Contender.REDISSON_LOCK, 100, 10, 10, 3);

    assertThat(fast.medianRatio(slow, Round::perSecond)).isEqualTo(30);
    assertThat(fast.median(Round::perSecond)).isEqualTo(90);
  }

  @Test
  void resultsAreReadAsTheyWereWritten() throws Exception {
    Results results = results(standing(Contender.LOCKKEEPER_LOCK, 5, 7));
    Path file = folder.resolve("results.json");

    results.write(file);

    assertThat(Results.read(file)).isEqualTo(results);
  }

  @Test
  void theSpreadOfHandOversIsThatOfTheirRounds() throws Exception {
    HandOverResult result =
        new HandOverResult(
            Contender.LOCKKEEPER_LOCK,
            10,
            latencyOf(200),
            List.of(latencyOf(100), latencyOf(300)),
            List.of());

    Page.write(folder, new Results(SETTING, List.of(), List.of(result), List.of()));

    assertThat(folder.resolve("benchmarks.md")).content().contains("200 µs (100–300)");
  }

  private static Latency latencyOf(double micros) {
    return new Latency(micros, micros, micros, micros, micros);
  }

  @Test
  void thePageListsProblemsBelowTheTable() throws Exception {
    Standing withProblem =
        new Standing(
            Contender.REDISSON_LOCK,
            List.of(),
            latency(0),
            List.of("1 x <timeout> & more. Try another setting."));

    Page.write(folder, results(standing(Contender.LOCKKEEPER_LOCK, 5, 7), withProblem));

    assertThat(folder.resolve("benchmarks.md"))
        .content()
        .contains("* Redisson lock: `1 x <timeout> & more`");
  }

  @Test
  void aLockIsOmittedIfOneThatGoesToTheStoreCostsAsMuch() throws Exception {
    Standing lock = standing(Contender.LOCKKEEPER_LOCK, 5, 7);
    Standing each = standing(Contender.LOCKKEEPER_EACH, 5, 8);
    Standing redisson = standing(Contender.REDISSON_LOCK, 5, 1);

    String alone = page(contest(2, lock, each, redisson));
    String together = page(contest(100, lock, each, redisson));

    assertThat(alone)
        .contains("| Lockkeeper lock, each to the store | 8 (8–8) | 8.00 |")
        .doesNotContain("| Lockkeeper lock |");
    assertThat(together).contains("| Lockkeeper lock | 7 (7–7) | 7.00 |");
  }

  private static ContestResult contest(int threads, Standing... standings) {
    return new ContestResult(Kind.ONE_LOCK, 2, threads, Work.NONE, List.of(standings));
  }

  private String page(ContestResult contest) throws IOException {
    Page.write(folder, new Results(SETTING, List.of(contest), List.of(), List.of()));
    return Files.readString(folder.resolve("benchmarks.md"));
  }

  @ParameterizedTest
  @EnumSource
  void theDocumentHasItsResults(Site site) throws Exception {
    String page = site.page() + ".md";
    Files.copy(DOCUMENTS.resolve(page), folder.resolve(page));

    Page.write(folder, Results.read(DOCUMENTS.resolve(site.page()).resolve("results.json")));

    assertThat(folder.resolve(page)).hasSameTextualContentAs(DOCUMENTS.resolve(page));
  }

  @Test
  void theDocumentOfServicesHasItsResults() throws Exception {
    String page = Page.SERVICES + ".md";
    Files.copy(DOCUMENTS.resolve(page), folder.resolve(page));
    Files.createDirectory(folder.resolve(Page.SERVICES));
    for (Site site : Site.values()) {
      Path file = Page.servicesFile(DOCUMENTS, site);
      if (Files.exists(file)) {
        Files.copy(file, Page.servicesFile(folder, site));
      }
    }

    Page.writeServices(folder);

    assertThat(folder.resolve(page)).hasSameTextualContentAs(DOCUMENTS.resolve(page));
  }

  private static Results results(Standing... standings) {
    return new Results(SETTING, List.of(contest(100, standings)), List.of(), List.of());
  }

  private static Standing standing(Contender contender, double p99Micros, double... rates) {
    List<Round> rounds = new ArrayList<>();
    for (double rate : rates) {
      rounds.add(new Round(rate, latency(p99Micros), 1, 2, 3, 0));
    }
    return new Standing(contender, rounds, latency(p99Micros), List.of());
  }

  private static Latency latency(double p99Micros) {
    return new Latency(1, 2, p99Micros, p99Micros, p99Micros);
  }
}
