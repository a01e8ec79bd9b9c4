package io.lockkeeper.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The lines of a Redis configuration file. */
final class RedisConfig {

  private final List<String> lines = new ArrayList<>();

  RedisConfig add(String name, Object... values) {
    lines.add(
        Stream.concat(Stream.of(name), Stream.of(values).map(value -> quote(String.valueOf(value))))
            .collect(Collectors.joining(" ")));
    return this;
  }

  RedisConfig addAll(RedisConfig other) {
    lines.addAll(other.lines);
    return this;
  }

  void write(Path file) {
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String quote(String value) {
    if (value.matches("[A-Za-z0-9_./:-]+")) {
      return value;
    }
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
