package io.lockkeeper.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.bench.results.ContestResult;
import io.lockkeeper.bench.results.ContestResult.Kind;
import io.lockkeeper.bench.results.HandOverResult;
import io.lockkeeper.bench.results.Latency;
import io.lockkeeper.bench.results.ResultFiles;
import io.lockkeeper.bench.results.Results;
import io.lockkeeper.bench.results.Round;
import io.lockkeeper.bench.results.Setting;
import io.lockkeeper.bench.results.Standing;
import io.lockkeeper.bench.worker.Work;
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
  void aTargetIsMissedWhenTheRatioOrTheP99IsNotGoodEnough() {
    Results results =
        results(
            standing(Contender.LOCKKEEPER_LOCK, 50, 1900, 1900),
            standing(Contender.REDISSON_LOCK, 50, 100, 100));

    List<Targets.Target> targets = Targets.of(results);

    assertThat(targets.get(0).verdict()).isEqualTo(Targets.Verdict.MISSED);
    assertThat(targets.get(0).measured()).isEqualTo("19.0 x Redisson lock");
    assertThat(targets.get(1).verdict()).isEqualTo(Targets.Verdict.MISSED);
    assertThat(targets.get(2).verdict()).isEqualTo(Targets.Verdict.NOT_MEASURED);
  }

  @Test
  void aTargetIsReachedAtItsGoal() {
    Results results =
        results(
            standing(Contender.LOCKKEEPER_LOCK, 49, 2000, 2000),
            standing(Contender.REDISSON_LOCK, 50, 100, 100));

    List<Targets.Target> targets = Targets.of(results);

    assertThat(targets.get(0).verdict()).isEqualTo(Targets.Verdict.REACHED);
    assertThat(targets.get(1).verdict()).isEqualTo(Targets.Verdict.REACHED);
  }

  @Test
  void theWaitForAnIdleLeaseHasATargetForItsMedian() {
    assertThat(Targets.of(idleWait(10_000))).anySatisfy(target -> assertIdle(target, "REACHED"));
    assertThat(Targets.of(idleWait(10_100))).anySatisfy(target -> assertIdle(target, "MISSED"));
  }

  private static void assertIdle(Targets.Target target, String verdict) {
    assertThat(target.what()).startsWith(Contender.LOCKKEEPER_IDLE.label() + ": median wait");
    assertThat(target.verdict()).hasToString(verdict);
  }

  private static Results idleWait(double p50Micros) {
    Latency latency = new Latency(p50Micros, p50Micros, p50Micros, p50Micros, p50Micros);
    HandOverResult result =
        new HandOverResult(Contender.LOCKKEEPER_IDLE, 5, latency, List.of(latency), List.of());
    return new Results(SETTING, List.of(), List.of(result), List.of(), List.of());
  }

  @Test
  void aRunIsTooShortBelowFiveRoundsOfThreeSecondsAfterFiveOfWarmUp() {
    assertThat(Setting.isTooShort(5, 3, 5)).isFalse();
    assertThat(Setting.isTooShort(4, 3, 5)).isTrue();
    assertThat(Setting.isTooShort(5, 2.9, 5)).isTrue();
    assertThat(Setting.isTooShort(5, 3, 4.9)).isTrue();
  }

  @Test
  void whatWasTooShortSaysSoOnThePageAndInTheFile() throws Exception {
    Results results = results(standing(Contender.LOCKKEEPER_LOCK, 5, 7));
    Path file = folder.resolve("results.json");

    new Report(results).write(folder);
    ResultFiles.write(results, file);

    assertThat(folder.resolve("benchmarks.md")).content().contains(Setting.TOO_SHORT);
    assertThat(file).content().contains("\"tooShort\" : true");
    assertThat(ResultFiles.read(file)).isEqualTo(results);
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
    HandOverResult other =
        new HandOverResult(
            Contender.REDISSON_LOCK,
            10,
            latencyOf(400),
            List.of(latencyOf(400), latencyOf(400)),
            List.of());

    new Report(new Results(SETTING, List.of(), List.of(result, other), List.of(), List.of()))
        .write(folder);

    assertThat(result.medianRatio(other)).isEqualTo(0.5);
    assertThat(folder.resolve("benchmarks.md")).content().contains("200 µs (100–300)");
  }

  private static Latency latencyOf(double micros) {
    return new Latency(micros, micros, micros, micros, micros);
  }

  @Test
  void everyKindOfServerHasItsTargets() {
    for (Site site : Site.values()) {
      Setting setting =
          new Setting("run", "machine", "jdk", site, "x", new TreeMap<>(), "", 0.5, 3, 5, 5, 0, 60);
      Results none = new Results(setting, List.of(), List.of(), List.of(), List.of());

      assertThat(Targets.of(none))
          .hasSizeGreaterThan(5)
          .allMatch(target -> target.verdict() == Targets.Verdict.NOT_MEASURED);
    }
  }

  @Test
  void thePageListsProblemsBelowTheTable() throws Exception {
    Standing withProblem =
        new Standing(
            Contender.REDISSON_LOCK,
            List.of(),
            latency(0),
            List.of("1 x <timeout> & more. Try another setting."));

    new Report(results(standing(Contender.LOCKKEEPER_LOCK, 5, 7), withProblem)).write(folder);

    assertThat(folder.resolve("benchmarks.md"))
        .content()
        .contains("* Redisson lock: `1 x <timeout> & more`");
  }

  @Test
  void aLockIsOmittedIfOneThatGoesToTheStoreCostsAsMuch() throws Exception {
    Standing lock = standing(Contender.LOCKKEEPER_LOCK, 5, 7);
    Standing each = standing(Contender.LOCKKEEPER_EACH, 5, 8);
    Standing fenced = standing(Contender.REDISSON_FENCED, 5, 9);
    Standing redisson = standing(Contender.REDISSON_LOCK, 5, 1);

    String alone = page(contest(2, lock, each, fenced, redisson));
    String together = page(contest(100, lock, each, fenced, redisson));

    assertThat(alone)
        .contains("| Lockkeeper lock, each to the store | 8 (8–8) | 8.00 |")
        .doesNotContain("| Lockkeeper lock |", "fenced");
    assertThat(together).contains("| Lockkeeper lock | 7 (7–7) | 7.00 |").doesNotContain("fenced");
  }

  private static ContestResult contest(int threads, Standing... standings) {
    return new ContestResult(Kind.ONE_LOCK, 2, threads, Work.NONE, List.of(standings));
  }

  private String page(ContestResult contest) throws IOException {
    new Report(new Results(SETTING, List.of(contest), List.of(), List.of(), List.of()))
        .write(folder);
    return Files.readString(folder.resolve("benchmarks.md"));
  }

  @ParameterizedTest
  @EnumSource
  void theDocumentHasItsResults(Site site) throws Exception {
    String page = site.page() + ".md";
    Files.copy(DOCUMENTS.resolve(page), folder.resolve(page));

    new Report(ResultFiles.read(DOCUMENTS.resolve(site.page()).resolve("results.json")))
        .write(folder);

    assertThat(folder.resolve(page)).hasSameTextualContentAs(DOCUMENTS.resolve(page));
  }

  @Test
  void theDocumentOfServicesHasItsResults() throws Exception {
    String page = ServicesPage.NAME + ".md";
    Files.copy(DOCUMENTS.resolve(page), folder.resolve(page));
    Files.createDirectory(folder.resolve(ServicesPage.NAME));
    for (Site site : Site.values()) {
      Path file = ServicesPage.file(DOCUMENTS, site);
      if (Files.exists(file)) {
        Files.copy(file, ServicesPage.file(folder, site));
      }
    }

    ServicesPage.write(folder);

    assertThat(folder.resolve(page)).hasSameTextualContentAs(DOCUMENTS.resolve(page));
  }

  private static Results results(Standing... standings) {
    return new Results(SETTING, List.of(contest(100, standings)), List.of(), List.of(), List.of());
  }

  private static Standing standing(Contender contender, double p99Micros, double... rates) {
    List<Round> rounds = new ArrayList<>();
    for (double rate : rates) {
      rounds.add(new Round(rate, latency(p99Micros), 1, 2, 3, 4, 0, 0, 5));
    }
    return new Standing(contender, rounds, latency(p99Micros), List.of());
  }

  private static Latency latency(double p99Micros) {
    return new Latency(1, 2, p99Micros, p99Micros, p99Micros);
  }
}
