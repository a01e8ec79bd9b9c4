package io.lockkeeper.lab.scene;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.lab.oversell.Books;
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

  private static final LoadPlan PLAN = new LoadPlan(4, 10, 40, 1);
  private static final HalfResult BROKEN = half(true, 1);
  private static final HalfResult CURE = half(false, 0);

  @TempDir private Path folder;

  private static HalfResult half(boolean broken, long oversold) {
    return new HalfResult("it", broken, "", oversold, new Books(0, 3, 0), List.of());
  }

  private static LoadResult load(long done, Map<String, Long> refused, Books books) {
    return new LoadResult(1_000_000, done, refused, Histograms.create(), books, 0);
  }

  private static SceneResult result(String scene, LoadResult load) {
    return new SceneResult(
        Scenes.find(scene).orElseThrow(), PLAN, load, LoadResult.none(), BROKEN, CURE);
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
      assertThat(report.text()).anyMatch(line -> line.contains("NOT AS EXPECTED"));
      assertThat(report.json()).contains("\"loadJudged\" : true");
    }
  }

  @Test
  void theLoadOfWhatPromisesNothingIsNotJudged() {
    SceneResult result = result("none", load(40, Map.of(), new Books(9, 40, 0)));

    assertThat(result.isAsExpected()).isTrue();
    assertThat(new SceneReport(List.of(result), PLAN, List.of()).text())
        .anyMatch(line -> line.matches(".* 9 +40 .*"));
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
        .allMatch(scene -> scene.load() == Scene.Load.EXACT);
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
            Mishap.OVERLAP,
            "locked",
            "",
            Scene.Load.SHOWN);
    String url = "jdbc:sqlite:" + folder.resolve("stock.db");
    try (Stage stage = new Stage(Map.of(Place.SQL, url), 1, line -> {})) {
      HalfResult cure = stage.half(scene, false);

      assertThat(cure.isAsExpected()).as(cure.verdict()).isFalse();
      assertThat(cure.verdict()).contains("sold 0 instead of 2", "A: 500", "B: 500");
    }
  }
}
