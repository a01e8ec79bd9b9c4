package io.lockkeeper.cli.exec;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Some permits of a semaphore.
 *
 * @param wanted how many
 * @param all of how many
 */
record Permits(int wanted, int all) {

  /** Reads {@code N/M}. */
  static final class Converter implements ITypeConverter<Permits> {

    private static final Pattern TEXT = Pattern.compile("([1-9]\\d{0,8})/([1-9]\\d{0,8})");

    @Override
    public Permits convert(String text) {
      Matcher matcher = TEXT.matcher(text);
      if (matcher.matches()) {
        Permits permits =
            new Permits(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        if (permits.wanted <= permits.all) {
          return permits;
        }
      }
      throw new TypeConversionException(
          "must be N/M, N permits of M, such as 1/3; was '" + text + "'");
    }
  }
}
