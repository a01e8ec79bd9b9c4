package io.lockkeeper.lab.scene;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.lab.oversell.shop.Books;
import io.lockkeeper.lab.oversell.strategy.Grant;
import io.lockkeeper.lab.report.Histograms;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What counts as right. */
@Tag("full")
class SceneVerdictTest {

  private static final LoadPlan PLAN = new LoadPlan(4, 10, 40, 1, Proxy.UNDERTOW);
  private static final HalfResult BROKEN = half(true, 1);
  private static final HalfResult CURE = half(false, 0);

  @TempDir private Path folder;

  private static HalfResult half(boolean broken, long oversold) {
    return new HalfResult("it", broken, "", oversold, new Books(0, 3, 0), List.of(), List.of());
  }

  private static LoadResult load(long done, Map<String, Long> refused, Books books) {
    return new LoadResult(
        1_000_000, done, refused, Histograms.create(), books, List.of(), Account.NONE);
  }

  private static LoadResult took(long nanos, LoadPlan plan, Held... inside) {
    return new LoadResult(
        nanos,
        plan.total(),
        Map.of(),
        Histograms.create(),
        new Books(0, plan.total(), 0),
        List.of(List.of(inside)),
        Account.NONE);
  }

  private static SceneResult result(String scene, LoadResult load) {
    return result(scene, PLAN, load);
  }

  private static SceneResult result(String scene, LoadPlan plan, LoadResult load) {
    return new SceneResult(
        Scenes.find(scene).orElseThrow(), plan, load, LoadResult.none(), BROKEN, CURE);
  }

  @Test
  void theLoadOfALockMustBeExact() {
    assertThat(result("lockRedis", load(40, Map.of(), new Books(0, 40, 0))).isAsExpected())
        .isTrue();
    for (LoadResult wrong :
        List.of(
            load(39, Map.of(), new Books(1, 39, 0)),
            load(39, Map.of("500 no", 1L), new Books(0, 40, 0)),
            load(0, Map.of("500 no", 40L), new Books(40, 0, 0)),
            load(40, Map.of(), new Books(1, 40, 0)),
            load(40, Map.of(), new Books(0, 41, 0)),
            load(40, Map.of(), new Books(0, 40, 1)))) {
      SceneResult result = result("lockRedis", wrong);
      SceneReport report = new SceneReport(List.of(result), PLAN, List.of());

      assertThat(result.isAsExpected()).as(wrong.toString()).isFalse();
      assertThat(report.isAsExpected()).isFalse();
      assertThat(report.text()).last().asString().startsWith("FAILED");
      assertThat(report.markdown()).contains("NOT AS EXPECTED");
      assertThat(report.json()).contains("\"loadJudged\" : true");
    }
  }

  @Test
  void theLoadOfWhatPromisesNothingIsNotJudged() {
    SceneResult result = result("none", load(40, Map.of(), new Books(9, 40, 0)));

    assertThat(result.isAsExpected()).isTrue();
    assertThat(new SceneReport(List.of(result), PLAN, List.of()).markdown()).contains("| 9 | 40 |");
  }

  @Test
  void aFairLockThatAdmitsOutOfOrderIsNotAsExpected() {
    Account account = new Account(List.of(new Grant(1, 7), new Grant(2, 5), new Grant(3, -1)), 3);
    LoadResult load =
        new LoadResult(
            1_000_000, 40, Map.of(), Histograms.create(), new Books(0, 40, 0), List.of(), account);
    SceneResult result = result("fairLockSql", load);

    assertThat(result.isAsExpected()).isFalse();
    assertThat(new SceneReport(List.of(result), PLAN, List.of()).json())
        .contains("\"grantsChecked\" : 3", "\"orderViolations\" : 1");
  }

  @Test
  void theLocksOfOthersAreTheMeasureWhenThereAreOrdersEnough() {
    LoadPlan enough = new LoadPlan(10, 100, 1_000, 1, Proxy.NGINX);
    SceneResult theirs = result("redisson", enough, took(1_000_000_000, enough));
    SceneResult same = result("lockRedis", enough, took(1_000_000_000, enough));
    SceneResult half = result("lockRedis", enough, took(2_000_000_000, enough));
    SceneResult fast = result("none", enough, took(100_000_000, enough));

    assertThat(new SceneReport(List.of(theirs, same), enough, List.of()).isAsExpected()).isTrue();
    assertThat(new SceneReport(List.of(theirs, half), enough, List.of()).isAsExpected()).isFalse();
    assertThat(new SceneReport(List.of(theirs, same, fast), enough, List.of()).isAsExpected())
        .as("the lock is the limit, and twice as many are expected")
        .isFalse();
    SceneResult longInside =
        result("redisson", enough, took(1_000_000_000, enough, new Held(1, 1, 0, 600_000)));
    assertThat(new SceneReport(List.of(longInside, same, fast), enough, List.of()).isAsExpected())
        .as("what is done inside is the limit")
        .isTrue();
    assertThat(new SceneReport(List.of(theirs, half), enough, List.of()).text())
        .anyMatch(line -> line.contains("0.50 times the orders per second of redisson"));

    SceneResult few = result("lockRedis", PLAN, took(2_000_000_000, PLAN));
    SceneResult fewOfTheirs = result("redisson", PLAN, took(1_000_000_000, PLAN));
    assertThat(new SceneReport(List.of(fewOfTheirs, few), PLAN, List.of()).isAsExpected()).isTrue();
  }

  @Test
  void aSceneThatShowsNothingInADatabaseIsLeftOutThere() {
    assertThat(Scenes.list())
        .filteredOn(scene -> !scene.unfitFor("jdbc:postgresql://localhost/x").isEmpty())
        .extracting(Scene::name)
        .containsExactly("for-update-scan");
    assertThat(Scenes.list()).allMatch(scene -> scene.unfitFor("jdbc:mariadb://x/y").isEmpty());
  }

  @Test
  void scenesOfLocksAreJudgedByTheirLoad() {
    assertThat(Scenes.list())
        .filteredOn(scene -> scene.name().matches("(lock|fairLock|locked)[A-Z].*"))
        .hasSize(4 * 8)
        .allMatch(Scene::exact);
  }

  @Test
  void aCureWhoseOrdersFailIsNotRight() throws Exception {
    Scene scene =
        new Scene(
            "made-up",
            "a cure that throws: its store is not there",
            2,
            Place.ETCD,
            Place.SQL,
            "none",
            "none",
            Fault.OVERLAP,
            "locked",
            "");
    String url = "jdbc:sqlite:" + folder.resolve("stock.db");
    try (Stage stage = new Stage(Map.of(Place.SQL, url), 1, line -> {})) {
      HalfResult cure = stage.half(scene, false);

      assertThat(cure.isAsExpected()).as(cure.verdict()).isFalse();
      assertThat(cure.verdict()).contains("sold 0 instead of 2", "A: 500", "B: 500");
    }
  }
}
