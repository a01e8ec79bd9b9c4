package io.lockkeeper.zookeeper;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where things are kept: a folder for each namespace, and in it a node for each record, with colons
 * for the slashes of its key. What is no record begins with an exclamation mark, which no key has.
 */
final class Nodes {

  /** How many nodes of a namespace say when records were deleted. */
  private static final int TOMBS = 64;

  private static final String PLAIN = "-_.:@{}(),;=~$*";
  private static final char OTHER = '!';

  /** Stands before a step that would be empty or have only dots. */
  private static final String ODD = "%.";

  private final String root;

  /**
   * Creates it.
   *
   * @param root a path without a slash at its end; empty for the root of the tree
   */
  Nodes(String root) {
    this.root = root;
  }

  /** Returns the folder of all namespaces. */
  String root() {
    return root.isEmpty() ? "/" : root;
  }

  /** Returns the folder of a namespace. */
  String namespace(String name) {
    return folder(URLEncoder.encode(name, StandardCharsets.UTF_8) + "/");
  }

  /** Returns the folder of a record, or of those whose keys have this beginning, with a slash. */
  String folder(String key) {
    return root + "/" + step(key.substring(0, Math.max(0, key.indexOf('/'))));
  }

  /** Returns the node of a record. */
  String record(String key) {
    return folder(key) + "/" + step(key.substring(key.indexOf('/') + 1).replace('/', ':'));
  }

  /** Returns the key of a record, or null if the node is something else. */
  static @Nullable String key(String folder, String node) {
    return node.charAt(0) == OTHER ? null : unstep(folder) + "/" + unstep(node).replace(':', '/');
  }

  /** Returns the node that is written when this record, or one of some others, is deleted. */
  String tomb(String key) {
    return folder(key) + "/" + OTHER + "tomb" + Math.floorMod(key.hashCode(), TOMBS);
  }

  /** Returns the node below which messages to a client are made. */
  static String mail(String namespace, String client) {
    return namespace + "/" + OTHER + client;
  }

  private static String step(String text) {
    return text.chars().allMatch(c -> c == '.') ? ODD + text : text;
  }

  private static String unstep(String step) {
    return step.startsWith(ODD) ? step.substring(ODD.length()) : step;
  }

  /** Returns any text as a part of a node's name. */
  static String encode(String text) {
    StringBuilder step = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (c == ' ') {
        step.append('+');
      } else if ((c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || (c >= '0' && c <= '9')
          || PLAIN.indexOf(c) >= 0) {
        step.append(c);
      } else {
        step.append('%');
        step.append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
        step.append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
      }
    }
    return step.toString();
  }

  /** Returns the text that a part of a name stands for. */
  static String decode(String step) {
    byte[] bytes = new byte[step.length()];
    int length = 0;
    for (int i = 0; i < step.length(); i++) {
      char c = step.charAt(i);
      if (c == '%' && i + 2 < step.length()) {
        bytes[length++] = (byte) Integer.parseInt(step.substring(i + 1, i + 3), 16);
        i += 2;
      } else {
        bytes[length++] = (byte) (c == '+' ? ' ' : c);
      }
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
