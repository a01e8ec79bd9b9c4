package io.lockkeeper.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "500MS, PT0.5S",
    "3s, PT3S",
    "' 1.5 m ', PT1M30S",
    "2h, PT2H",
    "1d, PT24H",
    "20us, PT0.00002S",
    "0.1ns, PT0.000000001S",
    "PT30S, PT30S",
    "p1dt1s, PT24H1S",
    "0, PT0S",
    "0s, PT0S"
  })
  void aNumberHasAUnit(String text, Duration duration) {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("tr"));
    try {
      assertThat(DurationText.parse(text)).isEqualTo(duration);
    } finally {
      Locale.setDefault(before);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5",
        "10",
        "1.5",
        "s",
        "-5s",
        "-5",
        "5 seconds",
        "5sec",
        "1e3s",
        "5s5",
        "1m30s",
        "PT",
        "PT-5S",
        "PT5",
        "999999999999d",
        "1,5s",
        "٣s",
        "NaN",
        "0x5s"
      })
  void anythingElseIsRefusedWithTheRightForm(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationText.parse(text))
        .withMessageStartingWith("must be a duration with a unit, such as 500ms");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT0.05S, 50ms",
    "PT0.0005S, 500us",
    "PT0.000000001S, 1ns",
    "PT0.049999999S, 49999999ns",
    "PT1S, 1s",
    "PT1.5S, 1.5s",
    "PT50S, 50s",
    "PT59.999S, 59.999s",
    "PT1M, 1m",
    "PT1M30S, 90s",
    "PT1M0.001S, 60001ms",
    "PT90M, 90m",
    "PT24H, 1d",
    "PT25H, 25h",
    "PT-5S, -5s"
  })
  void whatIsWrittenIsExactAndCanBeReadAgain(Duration duration, String text) {
    assertThat(DurationText.of(duration)).isEqualTo(text);
    if (!duration.isNegative()) {
      assertThat(DurationText.parse(text)).isEqualTo(duration);
    }
  }

  @Test
  void everyDurationCanBeWritten() {
    assertThat(DurationText.of(Duration.ofSeconds(Long.MAX_VALUE))).endsWith("s");
    assertThat(DurationText.of(Duration.ofSeconds(Long.MIN_VALUE + 1))).startsWith("-");
  }
}
