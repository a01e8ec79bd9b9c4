package io.lockkeeper.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A soak of seconds, on a real server, and the judgement of figures. */
class SoakTest {

  @TempDir Path folder;

  @Test
  void aShortSoakUsesEverythingAndLeavesNoClient() throws IOException {
    SoakPlan plan =
        new SoakPlan(
            Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(400), 64, 200, 4, 7);

    List<Sample> samples = new Soak(plan, "soak test").run(folder);

    Sample last = samples.get(samples.size() - 1);
    assertThat(last.closed()).isTrue();
    assertThat(last.errors()).isZero();
    assertThat(last.uses()).isGreaterThan(100);
    assertThat(last.serverClients()).as("only who asks").isEqualTo(1);
    assertThat(last.serverChannels()).isZero();
    assertThat(last.threads()).isLessThan(samples.get(0).threads());
    assertThat(Files.readAllLines(folder.resolve("soak/soak.csv"))).hasSize(samples.size() + 1);
    assertThat(Files.readString(folder.resolve("soak.md"))).contains("soak test", "0 failed");
    assertThat(Files.readString(folder.resolve("soak/soak.svg"))).contains("server: keys");
  }

  @Test
  void aTrendComparesTheSecondQuarterWithTheLast() {
    List<Double> figures = List.of(50.0, 60.0, 10.0, 11.0, 12.0, 30.0, 21.0, 22.0);

    assertThat(Trend.of(figures)).isEqualTo(new Trend(10.5, 21.5, 30));
  }
}
