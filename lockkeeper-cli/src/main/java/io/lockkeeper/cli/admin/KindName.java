package io.lockkeeper.cli.admin;

import io.lockkeeper.ResourceKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The kinds of resources as they are written on the command line. */
final class KindName implements ITypeConverter<ResourceKind> {

  /** Returns the name of a kind, such as {@code read-write-lock}. */
  static String of(ResourceKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public ResourceKind convert(String text) {
    List<ResourceKind> kinds = Arrays.asList(ResourceKind.values());
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
