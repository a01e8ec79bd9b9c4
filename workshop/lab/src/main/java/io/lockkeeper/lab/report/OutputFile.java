package io.lockkeeper.lab.report;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A file that can probably be written: better to say no now than after the run. */
public final class OutputFile implements ITypeConverter<Path> {
  @Override
  public Path convert(String name) {
    Path file = Path.of(name).toAbsolutePath();
    Path folder = file.getParent();
    if (Files.isDirectory(file)) {
      throw new TypeConversionException("must be a file, but '" + name + "' is a folder");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw new TypeConversionException("the folder of '" + name + "' does not exist");
    }
    if (!Files.isWritable(Files.exists(file) ? file : folder)) {
      throw new TypeConversionException("'" + name + "' cannot be written");
    }
    return file;
  }
}
