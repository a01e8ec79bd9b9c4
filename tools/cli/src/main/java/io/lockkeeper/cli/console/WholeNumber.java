package io.lockkeeper.cli.console;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A whole number in a range; what is outside is refused with the range in the message. An option's
 * own subclass gives the range.
 */
public abstract class WholeNumber implements ITypeConverter<Integer> {

  private final int min;
  private final int max;

  /** Creates a converter for numbers from {@code min} to {@code max}, both included. */
  protected WholeNumber(int min, int max) {
    this.min = min;
    this.max = max;
  }

  @Override
  public final Integer convert(String text) {
    try {
      int number = Integer.parseInt(text.replace("_", ""));
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
