package io.lockkeeper.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A soak of seconds, on a real server, and the judgement of figures. */
class SoakTest {

  @TempDir Path folder;

  @Test
  void aShortSoakUsesEverythingAndLeavesNoClient() throws IOException {
    Soak soak =
        new Soak(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(400), 64, 200);

    List<Map<String, Double>> samples = soak.run("soak test", folder);

    Map<String, Double> last = samples.get(samples.size() - 1);
    assertThat(last)
        .containsEntry("closed", 1.0)
        .containsEntry("errors", 0.0)
        .containsEntry("server_clients", 1.0)
        .containsEntry("server_channels", 0.0);
    assertThat(last.get("uses")).isGreaterThan(100);
    assertThat(last.get("threads")).isLessThan(samples.get(0).get("threads"));
    assertThat(Files.readAllLines(folder.resolve("soak/soak.csv"))).hasSize(samples.size() + 1);
    assertThat(Files.readString(folder.resolve("soak.md"))).contains("soak test", "0 failed");
  }

  @Test
  void aTrendComparesTheSecondQuarterWithTheLast() {
    List<Double> figures = List.of(50.0, 60.0, 10.0, 11.0, 12.0, 30.0, 21.0, 22.0);

    assertThat(SoakPage.trend(figures)).containsExactly(10.5, 21.5, 30.0);
  }
}
