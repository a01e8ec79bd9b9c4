package io.lockkeeper.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.bench.Growth.Point;
import io.lockkeeper.bench.Growth.Series;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowthPageTest {

  @TempDir private Path folder;

  private static Point point(long size, double serverMicros) {
    return new Point(size, 1_000, serverMicros, serverMicros, 2 * serverMicros, 50, 90, Double.NaN);
  }

  private static Series series(Growing what, Point... points) {
    return new Series(
        what, "workshop/bench/run growth", "a machine", "a JDK", "Redis 7", 0.5, List.of(points));
  }

  @Test
  void thePageSaysWhatEachCosts() throws Exception {
    Growth growth =
        new Growth(List.of())
            .with(series(Growing.CLIENTS, point(1, 30), point(10, 31), point(100, 30)))
            .with(series(Growing.FOREIGN_KEYS, point(0, 1), point(1_000, 6), point(10_000, 51)));

    new GrowthPage(growth).write(folder);

    assertThat(folder.resolve("scale.md"))
        .content()
        .contains("workshop/bench/run growth", "Redis 7")
        .contains("| Clients of one lock, to 100 | 23,333/s |")
        .contains(
            "| **Clients of one lock: lock and unlock** |", "| 1 | 1,000 | 30.0 µs (30.0–60.0) |")
        .doesNotContain("NaN");
  }

  @Test
  void theDocumentHasItsResults() throws Exception {
    Path documents = Path.of("../../docs");
    Files.copy(documents.resolve("scale.md"), folder.resolve("scale.md"));

    new GrowthPage(Growth.read(documents)).write(folder);

    assertThat(folder.resolve("scale.md")).hasSameTextualContentAs(documents.resolve("scale.md"));
  }

  @Test
  void aRunOfOneThingKeepsWhatEarlierRunsHaveFoundOfOthers() throws Exception {
    new Growth(List.of()).with(series(Growing.LEASES, point(1, 3))).write(folder);
    Series newer = series(Growing.CLIENTS, point(1, 30));

    Growth.read(folder).with(series(Growing.CLIENTS, point(1, 5))).with(newer).write(folder);

    Growth read = Growth.read(folder);
    assertThat(read.series()).contains(newer).hasSize(2);
  }
}
