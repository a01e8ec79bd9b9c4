package io.lockkeeper.etcd;

import io.etcd.jetcd.ByteSequence;
import java.nio.charset.StandardCharsets;

/** The keys in etcd. What follows a record's key begins with a character that no such key has. */
final class EtcdKeys {

  private static final String HEADS = "h/";
  private static final String DELETED = "d/";
  private static final String ENTRIES = "e/";
  private static final String MAIL = "m/";
  private static final String MARKS = "s/";

  private final String prefix;

  EtcdKeys(String prefix) {
    this.prefix = prefix;
  }

  static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  static String text(ByteSequence bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  ByteSequence head(String record) {
    return bytes(prefix + HEADS + record);
  }

  /** Returns the record of a head. */
  String recordOf(ByteSequence head) {
    return text(head).substring((prefix + HEADS).length());
  }

  /** Returns where it is noted for a while that a record was deleted. */
  ByteSequence deleted(String record) {
    return bytes(prefix + DELETED + record);
  }

  ByteSequence entry(String record, String name) {
    return bytes(prefix + ENTRIES + record + "!" + name);
  }

  /** Returns the name of an entry of a record. */
  String nameOf(String record, ByteSequence entry) {
    return text(entry).substring((prefix + ENTRIES + record + "!").length());
  }

  /** Returns what a client's transactions demand; see {@link EtcdSession}. */
  ByteSequence mark(String client) {
    return bytes(prefix + MARKS + client);
  }

  /** Returns what the keys of all messages to a client begin with. */
  ByteSequence mail(String client) {
    return bytes(prefix + MAIL + client + "/");
  }

  /**
   * Returns where one client leaves a message for another, when it changes a record. A later one
   * takes its place.
   */
  ByteSequence mail(String client, String sender, String record, int number) {
    return bytes(prefix + MAIL + client + "/" + sender + "/" + number + "/" + record);
  }
}
