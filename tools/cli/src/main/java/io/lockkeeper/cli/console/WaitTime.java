package io.lockkeeper.cli.console;

import io.lockkeeper.spi.support.DurationText;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A {@linkplain DurationText duration} of the command line. */
public final class WaitTime implements ITypeConverter<Duration> {

  @Override
  public Duration convert(String text) {
    try {
      return DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage() + ", was '" + text + "'");
    }
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
