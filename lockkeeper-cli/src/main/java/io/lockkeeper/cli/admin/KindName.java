package io.lockkeeper.cli.admin;

import io.lockkeeper.ResourceReport.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The kinds of resources as they are written on the command line. */
final class KindName implements ITypeConverter<Kind> {

  /** Returns the name of a kind, such as {@code read-write-lock}. */
  static String of(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public Kind convert(String text) {
    List<Kind> kinds = Arrays.asList(Kind.values());
    return kinds.stream()
        .filter(kind -> of(kind).equals(text.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "must be one of "
                        + String.join(", ", kinds.stream().map(KindName::of).toList())
                        + ", was '"
                        + text
                        + "'"));
  }
}
