package io.lockkeeper.spi.support;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes durations of settings, URLs, annotations and command lines: a number with a
 * unit, such as {@code 500ms}, {@code 1.5s}, {@code 5m}, {@code 2h} or {@code 1d}, or ISO-8601 such
 * as {@code PT30S}. A number without a unit is refused, because some people mean seconds by it and
 * others milliseconds; only {@code 0} needs none.
 */
public final class DurationText {

  private static final Pattern TEXT =
      Pattern.compile("(?<number>\\d{1,18}(?:\\.\\d{1,9})?) ?(?<unit>ns|us|ms|s|m|h|d)|0+");
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L,
          "d", 86_400_000_000_000L);

  private static final List<String> UNITS = List.of("d", "h", "m", "s", "ms", "us");
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private DurationText() {}

  /**
   * Returns the duration that a text says, rounded up to whole nanoseconds.
   *
   * @throws IllegalArgumentException if it is none, negative or above 292 years; the message begins
   *     with "must be" and does not repeat the text
   */
  public static Duration parse(String text) {
    String stripped = text.strip();
    Matcher matcher = TEXT.matcher(stripped.toLowerCase(Locale.ROOT));
    try {
      Duration duration = matcher.matches() ? simple(matcher) : Duration.parse(stripped);
      if (!duration.isNegative() && duration.toNanos() >= 0) {
        return duration;
      }
    } catch (ArithmeticException | DateTimeParseException e) {
      // as below
    }
    throw new IllegalArgumentException(
        "must be a duration with a unit, such as 500ms, 1.5s, 5m, 2h, 1d or PT30S");
  }

  /**
   * Returns a duration as it is written in settings: exact, and in one unit, such as {@code 1500ms}
   * or {@code 2h}. From a second to a minute it is in seconds: {@code 1.5s}.
   */
  public static String of(Duration duration) {
    if (duration.isNegative()) {
      return "-" + of(duration.negated());
    }
    if (duration.compareTo(MINUTE) < 0 && duration.compareTo(SECOND) >= 0) {
      BigDecimal seconds = BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros();
      return seconds.toPlainString() + "s";
    }
    BigDecimal nanos =
        BigDecimal.valueOf(duration.getSeconds())
            .movePointRight(9)
            .add(BigDecimal.valueOf(duration.getNano()));
    String unit =
        UNITS.stream()
            .filter(each -> nanos.remainder(nanosPer(each)).signum() == 0)
            .findFirst()
            .orElse("ns");
    return duration.isZero() ? "0s" : nanos.divide(nanosPer(unit)).toBigInteger() + unit;
  }

  private static BigDecimal nanosPer(String unit) {
    return BigDecimal.valueOf(NANOS.getOrDefault(unit, 1L));
  }

  private static Duration simple(Matcher matcher) {
    String unit = matcher.group("unit");
    if (unit == null) {
      return Duration.ZERO;
    }
    BigDecimal nanos = new BigDecimal(matcher.group("number")).multiply(nanosPer(unit));
    return Duration.ofNanos(nanos.setScale(0, RoundingMode.CEILING).longValueExact());
  }
}
