package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Inspection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The record of a resource: who holds it. It is the data of the resource's node and changes by
 * compare-and-set; who waits stands in the node's children.
 *
 * @param last the largest token given, less what was given back
 * @param limit how many permits there are; unset while it is out of use and was never resized
 * @param resized whether the limit was set for good
 * @param keeper the name of a child that is there as long as the record means something without a
 *     claim's node: it keeps ZooKeeper from removing the node as an empty one, and tells it from
 *     one that was made anew. Empty for none
 * @param grants who holds it
 * @param ahead a lock: those next in the queue, without a gap from its head on; not all of them
 * @param changes a semaphore: the latest requests that changed its limit, each "CLIENT NUMBER"
 */
record ResourceRecord(
    long last,
    int limit,
    boolean resized,
    String keeper,
    List<Entry> grants,
    List<NodeName> ahead,
    List<String> changes) {

  static final ResourceRecord EMPTY =
      new ResourceRecord(0, Inspection.UNSET, false, "", List.of(), List.of(), List.of());

  /** How far tokens of one transaction are from those of the next. */
  private static final int TOKEN_BITS = 16;

  private static final String HEAD = "lockkeeper1";

  private static final Pattern KEEPER =
      Pattern.compile(Pattern.quote(NodeName.KEEP) + "-?[0-9a-z]+\\.[0-9a-z]+");

  ResourceRecord {
    grants = List.copyOf(grants);
    ahead = List.copyOf(ahead);
    changes = List.copyOf(changes);
  }

  /** Returns the first token that a transaction may give. */
  static long firstToken(long zxid) {
    return zxid << TOKEN_BITS;
  }

  /**
   * Returns it with the tokens of those grants that were made by its latest writing, whose number
   * only who reads it knows.
   */
  ResourceRecord resolved(long zxid) {
    if (grants.stream().allMatch(entry -> entry.firstToken() != 0)) {
      return this;
    }
    long largest = last;
    List<Entry> all = new ArrayList<>();
    for (Entry entry : grants) {
      if (entry.firstToken() == 0) {
        Entry numbered = entry.withFirstToken(Math.max(largest + 1, firstToken(zxid)));
        largest = numbered.lastToken();
        all.add(numbered);
      } else {
        all.add(entry);
      }
    }
    return new ResourceRecord(largest, limit, resized, keeper, all, ahead, changes);
  }

  /** Returns whether its tokens go on to those of a later transaction than this. */
  boolean isAheadOf(long zxid) {
    return last >= firstToken(zxid + 1);
  }

  boolean isKept() {
    return !keeper.isEmpty();
  }

  /** Returns it without the child that should keep the node, and was taken away by a stranger. */
  ResourceRecord unkept() {
    return new ResourceRecord(last, limit, resized, "", grants, ahead, changes);
  }

  byte[] write() {
    StringBuilder text = new StringBuilder(HEAD);
    text.append(' ').append(last).append(' ').append(limit);
    text.append(resized ? " r " : " - ").append(isKept() ? keeper : "-").append('\n');
    grants.forEach(entry -> text.append(entry.write()).append('\n'));
    ahead.forEach(name -> text.append("a ").append(name.text()).append('\n'));
    changes.forEach(change -> text.append("c ").append(change).append('\n'));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Reads a record; fails with {@link ZkFailures.ForeignRecordException} if it is none. */
  static ResourceRecord read(String path, byte[] data) {
    try {
      String[] lines = new String(data, StandardCharsets.UTF_8).split("\n", -1);
      String[] head = lines[0].split(" ", -1);
      boolean isKept = KEEPER.matcher(head[4]).matches();
      if (!head[0].equals(HEAD) || !(isKept || head[4].equals("-"))) {
        throw new ZkFailures.ForeignRecordException(path);
      }
      List<Entry> grants = new ArrayList<>();
      List<NodeName> ahead = new ArrayList<>();
      List<String> changes = new ArrayList<>();
      for (String line : lines) {
        if (line.startsWith("g ")) {
          grants.add(Entry.read(line));
        } else if (line.startsWith("a ")) {
          ahead.add(Objects.requireNonNull(NodeName.parse(line.substring(2))));
        } else if (line.startsWith("c ")) {
          changes.add(line.substring(2));
        }
      }
      return new ResourceRecord(
          Long.parseLong(head[1]),
          Integer.parseInt(head[2]),
          head[3].equals("r"),
          isKept ? head[4] : "",
          grants,
          ahead,
          changes);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException | NullPointerException e) {
      throw new ZkFailures.ForeignRecordException(path);
    }
  }
}
