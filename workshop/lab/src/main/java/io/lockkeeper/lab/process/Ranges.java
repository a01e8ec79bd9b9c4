package io.lockkeeper.lab.process;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The ranges of numbers that options take. */
public final class Ranges {

  private Ranges() {}

  /**
   * Refuses a number that is outside a range.
   *
   * @throws ParameterException if it is
   */
  public static void check(
      CommandLine command, String option, double number, double least, double most) {
    if (!(number >= least && number <= most)) {
      throw new ParameterException(
          command,
          "Invalid value for option '%s': must be a number from %s to %.0f, was '%s'"
              .formatted(option, plain(least), most, plain(number)));
    }
  }

  /** Returns a number without needless digits. */
  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
