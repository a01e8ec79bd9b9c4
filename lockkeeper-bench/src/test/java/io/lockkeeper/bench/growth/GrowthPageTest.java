package io.lockkeeper.bench.growth;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowthPageTest {

  @TempDir private Path folder;

  private static Point point(long size, double serverMicros) {
    return new Point(size, 1_000, serverMicros, 10, 50, 90, Double.NaN);
  }

  @Test
  void thePageSaysByWhichLawEachCostGrows() throws Exception {
    Map<Growing, List<Point>> results =
        Map.of(
            Growing.CLIENTS, List.of(point(1, 30), point(10, 31), point(100, 30)),
            Growing.FOREIGN_KEYS, List.of(point(0, 1), point(1_000, 5), point(10_000, 50)));

    new GrowthPage(results, "lockkeeper-bench/run growth", "Redis 7").write(folder);

    assertThat(folder.resolve("scale.md"))
        .content()
        .contains("lockkeeper-bench/run growth", "Redis 7")
        .containsPattern("Clients of one lock \\| 1 \\| 100 .* \\| constant \\| 0\\.00 \\|")
        .containsPattern("Keys of others \\| 0 \\| 10,000 .* \\| linear \\| 1\\.00 \\|")
        .doesNotContain("NaN");
    assertThat(folder.resolve("scale"))
        .isDirectoryContaining("glob:**/clients.svg")
        .isDirectoryContaining("glob:**/foreign-keys.svg");
  }
}
