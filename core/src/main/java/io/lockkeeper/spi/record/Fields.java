package io.lockkeeper.spi.record;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A line of text made of fields with a space between them, which is read in the same order. */
final class Fields {

  /** Room for most lines. */
  private static final int LENGTH = 120;

  private final String line;
  private final String[] fields;
  private int next;

  private Fields(String line) {
    this.line = line;
    this.fields = line.split(" ", -1);
  }

  /** Returns a line of numbers, flags, enums and texts without spaces. */
  static String line(Object... fields) {
    StringBuilder line = new StringBuilder(LENGTH);
    for (int i = 0; i < fields.length; i++) {
      Object field = fields[i];
      line.append(i == 0 ? "" : " ");
      line.append(field instanceof Enum<?> constant ? constant.name() : field);
    }
    return line.toString();
  }

  /** Returns any text as one field, of ASCII characters. */
  static String escaped(@Nullable String text) {
    return text == null ? "~" : URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Returns the text of such a field. */
  static @Nullable String unescaped(String field) {
    return field.equals("~") ? null : URLDecoder.decode(field, StandardCharsets.UTF_8);
  }

  static String numbers(List<Long> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** Reads a line; whatever does not fit makes it a foreign record's. */
  static <T> T read(String line, Function<Fields, T> reader) {
    try {
      return reader.apply(new Fields(line));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException malformed) {
      throw new ForeignRecordException(line, malformed);
    }
  }

  /** Reads a field that must be this. */
  Fields expect(String constant) {
    if (!word().equals(constant)) {
      throw new IllegalArgumentException(line);
    }
    return this;
  }

  boolean hasMore() {
    return next < fields.length;
  }

  String word() {
    return fields[next++];
  }

  long number() {
    return Long.parseLong(word());
  }

  int integer() {
    return Integer.parseInt(word());
  }

  boolean flag() {
    String word = word();
    if (!word.equals("true") && !word.equals("false")) {
      throw new IllegalArgumentException(line);
    }
    return word.equals("true");
  }

  /** Reads a text that may be missing. */
  @Nullable String optional() {
    return unescaped(word());
  }

  String text() {
    String text = optional();
    if (text == null) {
      throw new IllegalArgumentException(line);
    }
    return text;
  }

  List<Long> longs() {
    return commas().map(Long::parseLong).toList();
  }

  /** Reads a list, which may be empty. */
  Stream<String> commas() {
    String word = word();
    return word.isEmpty() ? Stream.empty() : Arrays.stream(word.split(",", -1));
  }
}
