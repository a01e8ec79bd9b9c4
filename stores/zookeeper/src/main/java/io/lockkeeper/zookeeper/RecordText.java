package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.record.Entry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The data of a record's node.
 *
 * @param mark the name of a child that is made with the node and deleted with it: versions begin
 *     again when a node is made anew, and this says which node it is. Empty if the node is bound to
 *     its client, which alone writes it
 * @param head the head
 * @param entries those that are not bound
 * @param next the first bound entries, without a gap; not all of them
 * @param left the nodes of the bound entries that the latest writing removed
 */
record RecordText(
    String mark, String head, List<Entry> entries, List<BoundNode> next, List<String> left) {

  /** How many of the queue are named, so that not every reading has to list it. */
  private static final int NEXT = 24;

  private static final String FORMAT = "lockkeeper1 ";

  RecordText {
    entries = List.copyOf(entries);
    next = List.copyOf(next.subList(0, Math.min(NEXT, next.size())));
    left = List.copyOf(left);
  }

  boolean isBound() {
    return mark.isEmpty();
  }

  byte[] write() {
    StringBuilder text = new StringBuilder(FORMAT);
    text.append(mark).append("\nh ").append(escaped(head)).append('\n');
    for (Entry entry : entries) {
      text.append("e ").append(entry.name()).append(' ').append(escaped(entry.text())).append('\n');
    }
    next.forEach(node -> text.append("q ").append(node.name()).append('\n'));
    left.forEach(name -> text.append("d ").append(name).append('\n'));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Reads the data of a node; fails with {@link ZkFailures.ForeignRecordException}. */
  static RecordText read(String path, byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    String[] lines = text.split("\n", -1);
    if (!lines[0].startsWith(FORMAT) || lines.length < 2 || !lines[1].startsWith("h ")) {
      throw new ZkFailures.ForeignRecordException(path);
    }
    List<Entry> entries = new ArrayList<>();
    List<BoundNode> next = new ArrayList<>();
    List<String> left = new ArrayList<>();
    for (String line : List.of(lines).subList(2, lines.length)) {
      int space = line.indexOf(' ', 2);
      BoundNode node = line.startsWith("q ") ? BoundNode.parse(line.substring(2)) : null;
      if (line.startsWith("e ") && space > 0) {
        entries.add(new Entry(line.substring(2, space), unescaped(line.substring(space + 1))));
      } else if (node != null) {
        next.add(node);
      } else if (line.startsWith("d ")) {
        left.add(line.substring(2));
      } else if (!line.isEmpty()) {
        throw new ZkFailures.ForeignRecordException(path);
      }
    }
    String mark = lines[0].substring(FORMAT.length());
    return new RecordText(mark, unescaped(lines[1].substring(2)), entries, next, left);
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n");
  }

  private static String unescaped(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        plain.append(text.charAt(i) == 'n' ? '\n' : text.charAt(i));
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }
}
