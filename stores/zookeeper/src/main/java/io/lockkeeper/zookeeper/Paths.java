package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.support.StoredId;
import java.nio.charset.StandardCharsets;

/**
 * Where things are kept: {@code <root>/<namespace>/<kind>/<name>}. Namespaces and names are written
 * so that any text is one step of a path and no two are the same.
 */
final class Paths {

  private static final String PLAIN = "-_.:@{}()+,;=~!$*";

  private final String root;
  private final String base;

  /**
   * Creates it.
   *
   * @param root a path without a slash at its end; empty for the root of the tree
   */
  Paths(String root, String namespace) {
    this.root = root;
    this.base = root + "/" + encode(namespace);
  }

  /** Returns the folder of all namespaces. */
  String root() {
    return root.isEmpty() ? "/" : root;
  }

  /** Returns the folder of a namespace. */
  String base() {
    return base;
  }

  /** Returns the folder of the resources of one kind, by its {@linkplain StoredId#word word}. */
  String folder(String word) {
    return base + "/" + (word.isEmpty() ? "lock" : word);
  }

  /** Returns the folder of a resource. */
  String folder(ResourceId id) {
    return folder(StoredId.of(id).word());
  }

  /** Returns the node of a resource. */
  String resource(ResourceId id) {
    return folder(id) + "/" + encode(StoredId.of(id).name());
  }

  /** Returns the folder of the cells of one kind. */
  String folder(CellKind kind) {
    return base + "/" + kind.suffix();
  }

  /** Returns the node of a cell. */
  String cell(CellId cell) {
    return folder(cell.kind()) + "/" + encode(cell.name());
  }

  /** Returns the folder of the clients of this namespace. */
  String clients() {
    return base + "/clients";
  }

  /** Returns a text as a step of a path. */
  static String encode(String text) {
    if (text.isEmpty()) {
      return "%";
    }
    StringBuilder step = new StringBuilder();
    boolean isDots = text.chars().allMatch(c -> c == '.');
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || PLAIN.indexOf(c) >= 0;
      if (plain && !(isDots && c == '.')) {
        step.append(c);
      } else {
        step.append('%');
        step.append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
        step.append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
      }
    }
    return step.toString();
  }

  /** Returns the text that a step of a path stands for. */
  static String decode(String step) {
    if (step.equals("%")) {
      return "";
    }
    byte[] bytes = new byte[step.length()];
    int length = 0;
    for (int i = 0; i < step.length(); i++) {
      char c = step.charAt(i);
      if (c == '%' && i + 2 < step.length()) {
        bytes[length++] = (byte) Integer.parseInt(step.substring(i + 1, i + 3), 16);
        i += 2;
      } else {
        bytes[length++] = (byte) c;
      }
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
