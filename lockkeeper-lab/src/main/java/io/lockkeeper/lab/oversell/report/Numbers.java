package io.lockkeeper.lab.oversell.report;

import java.util.Locale;

/** How numbers look in a report. */
final class Numbers {

  /** The same everywhere. */
  static final Locale LOCALE = Locale.ROOT;

  private Numbers() {}

  /** Returns a whole number with thousands set apart. */
  static String whole(long number) {
    return String.format(LOCALE, "%,d", number);
  }

  /** Returns a time in milliseconds, with about three digits. */
  static String millis(long nanos) {
    return digits(nanos / 1e6);
  }

  /** Returns a number with no more digits than {@link #digits} shows. */
  static double round(double number) {
    double unit = number >= 100 ? 1 : number >= 10 ? 10 : 100;
    return Math.round(number * unit) / unit;
  }

  /** Returns a number with about three digits. */
  static String digits(double number) {
    if (number >= 100) {
      return whole(Math.round(number));
    }
    return String.format(LOCALE, number >= 10 ? "%.1f" : "%.2f", number);
  }
}
