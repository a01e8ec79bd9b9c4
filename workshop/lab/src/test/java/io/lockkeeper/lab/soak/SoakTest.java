package io.lockkeeper.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A soak of seconds, on a real server, and the judgement of figures. */
@Tag("full")
class SoakTest {

  @Test
  void aShortSoakFailsNowhereAndLeavesNoClient() throws Exception {
    Soak soak =
        new Soak(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(400), 64, 200);

    StringWriter csv = new StringWriter();

    List<Map<String, Double>> samples = soak.run(new PrintWriter(csv));

    Map<String, Double> last = samples.get(samples.size() - 1);
    assertThat(last)
        .containsEntry("closed", 1.0)
        .containsEntry("errors", 0.0)
        .containsEntry("server_clients", 1.0)
        .containsEntry("server_channels", 0.0);
    assertThat(last.get("uses")).isPositive();
    assertThat(last.get("threads")).isLessThan(samples.get(0).get("threads"));
    assertThat(csv.toString().lines()).hasSize(samples.size() + 1);
  }

  @Test
  void aTrendComparesTheSecondQuarterWithTheLast() {
    List<Double> figures = List.of(50.0, 60.0, 10.0, 11.0, 12.0, 30.0, 21.0, 22.0);

    assertThat(SoakCommand.trend(figures)).containsExactly(10.5, 21.5, 30.0);
  }
}
