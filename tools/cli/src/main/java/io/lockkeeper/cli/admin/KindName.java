package io.lockkeeper.cli.admin;

import io.lockkeeper.ResourceKind;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The kinds of resources as they are written on the command line. */
final class KindName implements ITypeConverter<ResourceKind> {

  @Override
  public ResourceKind convert(String text) {
    return ResourceKind.ofId(text)
        .orElseThrow(
            () -> {
              List<String> ids = Stream.of(ResourceKind.values()).map(ResourceKind::id).toList();
              return new TypeConversionException(
                  "must be one of " + String.join(", ", ids) + ", was '" + text + "'");
            });
  }
}
