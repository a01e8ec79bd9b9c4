package io.lockkeeper.bench.growth;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowthPageTest {

  @TempDir private Path folder;

  private static Point point(long size, double serverMicros) {
    return new Point(
        size, 1_000, serverMicros, serverMicros, 2 * serverMicros, 10, 50, 90, Double.NaN);
  }

  private static Series series(Growing what, Point... points) {
    return new Series(
        what,
        "lockkeeper-bench/run growth",
        "a machine",
        "a JDK",
        "Redis 7",
        0.5,
        3,
        60,
        List.of(points));
  }

  @Test
  void thePageSaysByWhichLawEachCostGrows() throws Exception {
    Growth growth =
        new Growth(List.of())
            .with(series(Growing.CLIENTS, point(1, 30), point(10, 31), point(100, 30)))
            .with(series(Growing.FOREIGN_KEYS, point(0, 1), point(1_000, 6), point(10_000, 51)));

    new GrowthPage(growth).write(folder);

    assertThat(folder.resolve("scale.md"))
        .content()
        .contains("lockkeeper-bench/run growth", "Redis 7", Series.TOO_SHORT)
        .containsPattern("Clients of one lock \\| 1 \\| 100 .* \\| constant \\| 0\\.00 \\|")
        .containsPattern("Keys of others \\| 0 \\| 10,000 .* \\| linear: 1.00 µs \\+ 5.00 ns · n")
        .contains("0.7 s / 30.0 µs", "23,333/s")
        .contains("growth --what WAITERS --out docs")
        .doesNotContain("NaN");
    assertThat(folder.resolve("scale"))
        .isDirectoryContaining("glob:**/clients.svg")
        .isDirectoryContaining("glob:**/foreign-keys.svg");
  }

  @Test
  void aRunOfOneThingKeepsWhatEarlierRunsHaveFoundOfOthers() throws Exception {
    new Growth(List.of()).with(series(Growing.LEASES, point(1, 3))).write(folder);
    Series newer = series(Growing.CLIENTS, point(1, 30));

    Growth.read(folder).with(series(Growing.CLIENTS, point(1, 5))).with(newer).write(folder);

    Growth read = Growth.read(folder);
    assertThat(read.of(Growing.CLIENTS)).contains(newer);
    assertThat(read.of(Growing.LEASES)).isPresent();
    assertThat(read.series()).hasSize(2);
  }

  @Test
  void aLogarithmIsNotTakenForARoot() {
    List<Point> points = List.of(point(10, 23), point(1_000, 69), point(100_000, 115));

    assertThat(Law.of(points).toString()).startsWith("logarithmic");
  }
}
