package io.lockkeeper.cli.console;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A length of time as people write it: {@code 500ms}, {@code 3s}, {@code 1.5m}; plain seconds. */
public final class WaitTime implements ITypeConverter<Duration> {

  private static final Pattern TEXT = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(ms|s|m|h|d|)");
  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  @Override
  public Duration convert(String text) {
    Matcher matcher = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "must be a length of time such as 500ms, 3s, 1.5m, 2h or 1d, was '" + text + "'");
    }
    BigDecimal millis =
        new BigDecimal(matcher.group(1))
            .multiply(BigDecimal.valueOf(MILLIS.getOrDefault(matcher.group(2), 1L)));
    // Rounded up, so that a short time does not turn into none.
    return Duration.ofMillis(millis.setScale(0, RoundingMode.CEILING).longValueExact());
  }

  /** Writes a length of time for people: {@code 350 ms}, {@code 12 s}, {@code 3 min 20 s}. */
  public static String text(Duration time) {
    long millis = time.toMillis();
    if (millis < 1_000) {
      return millis + " ms";
    } else if (millis < 60_000) {
      return millis / 1_000 + " s";
    } else if (millis < 3_600_000) {
      return "%d min %d s".formatted(time.toMinutes(), time.toSecondsPart());
    } else if (millis < 86_400_000) {
      return "%d h %d min".formatted(time.toHours(), time.toMinutesPart());
    }
    return "%d d %d h".formatted(time.toDays(), time.toHoursPart());
  }
}
