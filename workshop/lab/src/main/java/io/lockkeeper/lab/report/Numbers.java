package io.lockkeeper.lab.report;

import java.util.Locale;

/** Numbers as text, with as many digits as a measurement deserves. */
public final class Numbers {

  private static final double MICROS_PER_MILLI = 1e3;
  private static final double MICROS_PER_SECOND = 1e6;
  private static final double THREE_DIGITS = 100;
  private static final double TWO_DIGITS = 10;

  private Numbers() {}

  /** Returns a time in milliseconds, with about three digits. */
  public static String millis(long nanos) {
    return threeDigits(nanos / 1e6);
  }

  /** Returns a count, such as {@code 12,345}. */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Returns a rate, such as {@code 12,345}. */
  public static String count(double value) {
    return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%,.0f", value);
  }

  /** Returns a value with about three digits, such as {@code 4.27}, {@code 31.5} or {@code 812}. */
  public static String threeDigits(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    String format = value >= THREE_DIGITS ? "%,.0f" : value >= TWO_DIGITS ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  /** Returns a time in the unit that fits it, such as {@code 812 µs} or {@code 31.5 ms}. */
  public static String time(double micros) {
    if (micros >= MICROS_PER_SECOND) {
      return threeDigits(micros / MICROS_PER_SECOND) + " s";
    }
    if (micros >= MICROS_PER_MILLI) {
      return threeDigits(micros / MICROS_PER_MILLI) + " ms";
    }
    return threeDigits(micros) + " µs";
  }

  /**
   * Returns a time with the least and the most if they differ, such as {@code 812 µs (790–901)};
   * these have units unless all have the same.
   */
  public static String spread(double micros, double least, double most) {
    String time = time(micros);
    String from = time(least);
    String to = time(most);
    String unit = time.substring(time.lastIndexOf(' '));
    if (from.equals(to)) {
      return time;
    }
    return from.endsWith(unit) && to.endsWith(unit)
        ? "%s (%s–%s)".formatted(time, from.replace(unit, ""), to.replace(unit, ""))
        : "%s (%s–%s)".formatted(time, from, to);
  }

  /** Returns a share of one as a percentage. */
  public static String percent(double share) {
    return Double.isNaN(share) ? "–" : String.format(Locale.ROOT, "%.0f %%", share * 100);
  }
}
