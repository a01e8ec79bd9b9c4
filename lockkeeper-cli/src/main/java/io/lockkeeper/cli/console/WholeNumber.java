package io.lockkeeper.cli.console;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A whole number in a range; what is outside is refused with the range in the message. An option's
 * own subclass gives the range.
 */
public abstract class WholeNumber implements ITypeConverter<Long> {

  private final long min;
  private final long max;

  /** Creates a converter for numbers from {@code min} to {@code max}, both included. */
  protected WholeNumber(long min, long max) {
    this.min = min;
    this.max = max;
  }

  @Override
  public final Long convert(String text) {
    try {
      long number = Long.parseLong(text.replace("_", ""));
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // said below
    }
    throw new TypeConversionException(
        "must be a whole number from " + min + " to " + max + ", was '" + text + "'");
  }
}
