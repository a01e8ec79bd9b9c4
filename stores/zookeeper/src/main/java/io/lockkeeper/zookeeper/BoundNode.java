package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.record.Entry;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The node of an entry that is bound to its client: ephemeral, and sequential. Its name says all,
 * so a list of names is the whole queue, and an entry whose answer was lost is found again.
 *
 * @param name the name of the node
 * @param session the session that made it: a client's next one does not take it for its own
 * @param sequence its place among the others, as a number that may wrap
 */
record BoundNode(String name, Entry entry, long session, int sequence) {

  /** The order of arrival. Differences stay small, so they do not wrap where numbers do. */
  static final Comparator<BoundNode> ARRIVAL = (a, b) -> a.sequence - b.sequence;

  private static final String PREFIX = "q!";
  private static final int FIELDS = 5;
  private static final int RADIX = 36;

  /**
   * Returns a name, to which ZooKeeper adds a sequence number.
   *
   * @param attempt a number that the client gives to no other node in this session
   */
  static String name(Entry entry, long session, long attempt) {
    return PREFIX
        + Nodes.encode(entry.name())
        + "!"
        + Nodes.encode(entry.text())
        + "!"
        + Long.toString(session, RADIX)
        + "."
        + Long.toString(attempt, RADIX)
        + "!";
  }

  /** Reads a name; returns null if it is none of these. */
  static @Nullable BoundNode parse(String name) {
    String[] fields = name.split("!", -1);
    if (fields.length != FIELDS || !name.startsWith(PREFIX)) {
      return null;
    }
    try {
      String session = fields[3].substring(0, fields[3].indexOf('.'));
      Entry entry = new Entry(Nodes.decode(fields[1]), Nodes.decode(fields[2]), true);
      return new BoundNode(
          name, entry, Long.parseLong(session, RADIX), Integer.parseInt(fields[FIELDS - 1]));
    } catch (NumberFormatException | StringIndexOutOfBoundsException foreign) {
      return null;
    }
  }

  /** Returns it with the place that its entry has among those of all records. */
  BoundNode at(long place) {
    Entry placed = new Entry(entry.name(), entry.text(), true, place);
    return new BoundNode(name, placed, session, sequence);
  }
}
