package io.lockkeeper.testkit.tck;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/**
 * Names as nobody would choose them, from a seed that is printed: all of Unicode with halves of
 * surrogate pairs, control characters, what means something in patterns, paths and queries, and
 * names that are empty, or at the limit of length, or beyond.
 */
final class RandomNames {

  private static final int MAX_BYTES = 512;

  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "{}",
          "%",
          "%s",
          "%2F",
          "/",
          "//",
          "..",
          ".",
          ":",
          "::",
          "*",
          "?",
          "[",
          "]",
          "^",
          "\\",
          "'",
          "''",
          "\"",
          "`",
          "$",
          "${x}",
          "#",
          "&",
          ";",
          "--",
          "|",
          ",",
          "=",
          " ",
          "~",
          "_",
          "a",
          "A",
          "0",
          "-1",
          "\u00e4",
          "a\u0308",
          "\u0130",
          "\u00a0",
          "\u2028",
          "\u202e",
          "\ufeff",
          "\ufffd",
          "\uffff",
          "\ud83d\udd12",
          "\ud83d\udc68\u200d\ud83d\udc67");

  private final long seed = Long.getLong("lockkeeper.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  RandomNames() {
    System.out.println("random names: -Dlockkeeper.test.seed=" + seed);
  }

  /** Returns as many different names that must work. */
  Set<String> valid(int count) {
    Set<String> names = new LinkedHashSet<>();
    names.add(filled());
    while (names.size() < count) {
      String name = name();
      if (fault(name).isEmpty()) {
        names.add(name);
      }
    }
    return names;
  }

  /** Returns a name that must be refused. */
  String invalid() {
    String name = name();
    while (fault(name).isEmpty()) {
      name = name();
    }
    return name;
  }

  /** Returns the word that the refusal of a name must have in it, or nothing for a good name. */
  static String fault(String name) {
    if (name.isEmpty()) {
      return "empty";
    }
    if (name.codePoints().anyMatch(Character::isISOControl)) {
      return "control";
    }
    if (name.codePoints().anyMatch(c -> c >= 0xd800 && c <= 0xdfff)) {
      return "surrogate";
    }
    return name.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES ? "512" : "";
  }

  private String name() {
    int pieces =
        switch (random.nextInt(10)) {
          case 0 -> random.nextInt(2);
          case 1 -> 100 + random.nextInt(300);
          default -> 1 + random.nextInt(12);
        };
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < pieces; i++) {
      switch (random.nextInt(60)) {
        case 0 -> name.append((char) random.nextInt(0x20));
        case 1 -> name.append((char) (0x7f + random.nextInt(0x21)));
        case 2 -> name.append((char) (0xd800 + random.nextInt(0x800)));
        default -> appendGood(name);
      }
    }
    return name.toString();
  }

  private void appendGood(StringBuilder name) {
    if (random.nextBoolean()) {
      name.append(PIECES.get(random.nextInt(PIECES.size())));
      return;
    }
    int c = random.nextInt(random.nextBoolean() ? 0x3000 : Character.MAX_CODE_POINT + 1);
    boolean isHalf = c >= 0xd800 && c <= 0xdfff;
    name.appendCodePoint(isHalf || Character.isISOControl(c) ? 'x' : c);
  }

  /** Returns a name that is as long as one may be. */
  private String filled() {
    StringBuilder name = new StringBuilder();
    int left = MAX_BYTES;
    while (left >= 16) {
      StringBuilder piece = new StringBuilder();
      appendGood(piece);
      name.append(piece);
      left = MAX_BYTES - name.toString().getBytes(StandardCharsets.UTF_8).length;
    }
    return name.append("x".repeat(left)).toString();
  }

  /** Returns what to say of a name with which something went wrong: its characters as numbers. */
  String about(String name) {
    StringBuilder text = new StringBuilder("name ");
    name.chars().limit(64).forEach(c -> text.append(String.format(Locale.ROOT, "%04x ", c)));
    return text.append(this).toString();
  }

  @Override
  public String toString() {
    return "replay with -Dlockkeeper.test.seed=" + seed;
  }
}
