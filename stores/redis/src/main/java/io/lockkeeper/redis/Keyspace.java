package io.lockkeeper.redis;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.support.StoredId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys and channels of one namespace.
 *
 * <p>A lock is <code>ns:{name}</code>, another kind of resource <code>ns:{name}:kind</code>. A
 * resource's name is the hash tag of its keys, so that they are in one slot of a cluster. A tag
 * ends at the first closing brace; braces in names, and the percent sign that they are written
 * with, are therefore encoded as in URLs.
 */
final class Keyspace {

  private final String namespace;

  Keyspace(String namespace) {
    this.namespace = encode(namespace);
  }

  /** Returns the key of a resource's record; its other keys have suffixes behind that. */
  byte[] record(ResourceId resource) {
    StoredId stored = StoredId.of(resource);
    String record = namespace + ":{" + encode(stored.name()) + "}" + suffix(stored.word());
    return record.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the key of a resource's queue. */
  byte[] queue(ResourceId resource) {
    return (new String(record(resource), StandardCharsets.UTF_8) + ":q")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the key of a cell; its other keys have suffixes behind that. */
  byte[] cell(CellId cell) {
    return (namespace + ":{" + encode(cell.name()) + "}:" + cell.kind().suffix())
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the key of the mark, which tells whether the server's memory has gaps. */
  byte[] mark() {
    return (namespace + ":mark").getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the key of the index, which names the records and cells; a cluster has none. */
  byte[] index() {
    return (namespace + ":names").getBytes(StandardCharsets.UTF_8);
  }

  /** Returns how the keys of records and cells begin whose names in the index are without that. */
  String beginning() {
    return namespace + ":";
  }

  /** Returns where names with a prefix begin in the index. */
  byte[] listFrom(String prefix) {
    return ("[{" + encode(prefix)).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns where the mark stands that says that the index is whole. */
  byte[] wholeMark() {
    return "[*".getBytes(StandardCharsets.UTF_8);
  }

  /** Returns where those behind the one with this key begin in the index. */
  byte[] listAfter(byte[] key) {
    String name = new String(key, StandardCharsets.UTF_8).substring(beginning().length());
    return ("(" + name).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns where names with a prefix end: no character has a byte as large. */
  byte[] listTo(String prefix) {
    byte[] begin = ("({" + encode(prefix)).getBytes(StandardCharsets.UTF_8);
    byte[] end = Arrays.copyOf(begin, begin.length + 1);
    end[begin.length] = (byte) 0xff;
    return end;
  }

  /** Returns the channel of the notifications to a client. */
  byte[] channel(String clientId) {
    return (namespace + ":c:" + clientId).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the key under which a client's name stands. */
  byte[] client(String clientId) {
    return (namespace + ":i:" + clientId).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the beginning of keys under which nothing ever stands. */
  String place() {
    return namespace + ":s:";
  }

  /**
   * Returns a pattern, as servers understand it, of the keys of all resources and cells whose names
   * begin with a prefix.
   */
  String pattern(String prefix) {
    return (namespace + ":{" + encode(prefix)).replaceAll("[\\\\*?\\[\\]^-]", "\\\\$0") + "*";
  }

  /** Returns a pattern, as servers understand it, of the keys of all records in any namespace. */
  static String patternOfAll() {
    return "*:{*}*";
  }

  /** Returns the namespace of a record, or null if the key is of no record. */
  static @Nullable String namespaceOf(String key) {
    int end = key.indexOf(":{");
    return end < 1 ? null : decode(key.substring(0, end));
  }

  /** Returns the id of the resource whose record is under a key, or null if it is no such key. */
  @Nullable ResourceId resource(String key) {
    String begin = namespace + ":{";
    int end = key.lastIndexOf('}');
    if (!key.startsWith(begin) || end < begin.length()) {
      return null;
    }
    String suffix = key.substring(end + 1);
    for (String word : StoredId.WORDS) {
      if (suffix.equals(suffix(word))) {
        return id(word, key.substring(begin.length(), end));
      }
    }
    return null;
  }

  /** Returns the id of the cell under a key, or null if it is no such key. */
  @Nullable CellId cellOf(String key) {
    String begin = namespace + ":{";
    int end = key.lastIndexOf('}');
    if (!key.startsWith(begin) || end < begin.length()) {
      return null;
    }
    for (CellKind kind : CellKind.values()) {
      if (key.substring(end + 1).equals(":" + kind.suffix())) {
        return new CellId(kind, decode(key.substring(begin.length(), end)));
      }
    }
    return null;
  }

  private static String suffix(String word) {
    return word.isEmpty() ? "" : ":" + word;
  }

  private static String encode(String name) {
    if (name.indexOf('%') < 0 && name.indexOf('{') < 0 && name.indexOf('}') < 0) {
      return name;
    }
    return name.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
  }

  /** Returns the id of a resource whose kind and encoded name a message tells. */
  static ResourceId id(String word, String encoded) {
    return new StoredId(word, decode(encoded)).id();
  }

  /** Returns the name that was written into a key. */
  static String decode(String encoded) {
    if (encoded.indexOf('%') < 0) {
      return encoded;
    }
    return encoded.replace("%7B", "{").replace("%7D", "}").replace("%25", "%");
  }
}
