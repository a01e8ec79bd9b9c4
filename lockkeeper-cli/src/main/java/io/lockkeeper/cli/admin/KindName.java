package io.lockkeeper.cli.admin;

import io.lockkeeper.ResourceKind;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
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
    try {
      return ResourceKind.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      List<String> names = Stream.of(ResourceKind.values()).map(KindName::of).toList();
      throw new TypeConversionException(
          "must be one of " + String.join(", ", names) + ", was '" + text + "'");
    }
  }
}
