package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.record.Entry;
import io.lockkeeper.spi.record.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record, or that there is none, as its nodes were read.
 *
 * @param version the transaction that wrote the record, or if there is none, one not before that
 *     which deleted it: these grow for ever
 * @param nodeVersion the version of the record's node for ZooKeeper; if there is none, of that
 *     which is written when it is deleted
 * @param text what the node has; null if there is none
 * @param queue bound entries, in order: the first ones without a gap, then some of this client
 * @param leading how many of them are the first ones
 * @param isWhole whether these are all
 * @param owner the session that the record is bound to; 0 if none
 */
record Known(
    long version,
    int nodeVersion,
    @Nullable RecordText text,
    List<BoundNode> queue,
    int leading,
    boolean isWhole,
    long owner) {

  Known {
    queue = List.copyOf(queue);
  }

  static Known absent(long version, int tombVersion) {
    return new Known(version, tombVersion, null, List.of(), 0, true, 0);
  }

  /** Returns the nodes of the bound entries of these names. */
  List<BoundNode> nodes(List<String> names) {
    return queue.stream().filter(node -> names.contains(node.entry().name())).toList();
  }

  /** Returns whether it has each of these entries, or it is known that it has not. */
  boolean knows(List<String> names) {
    RecordText read = text;
    return isWhole
        || read == null
        || names.stream()
            .allMatch(
                name ->
                    Stream.concat(read.entries().stream(), queue.stream().map(BoundNode::entry))
                        .anyMatch(entry -> entry.name().equals(name)));
  }

  /** Returns the place behind those that are known of entries which one transaction put. */
  long nextPlace(long zxid) {
    long first = Entry.place(zxid, 0);
    return queue.stream()
        .mapToLong(node -> node.entry().place())
        .filter(place -> place >= first && place < Entry.place(zxid + 1, 0))
        .map(place -> place + 1)
        .max()
        .orElse(first);
  }

  /** Returns it with the place of an entry. */
  Known with(BoundNode placed) {
    List<BoundNode> all =
        queue.stream().map(it -> it.name().equals(placed.name()) ? placed : it).toList();
    return new Known(version, nodeVersion, text, all, leading, isWhole, owner);
  }

  Reading reading() {
    RecordText read = text;
    if (read == null) {
      return Reading.absent(version);
    }
    List<Entry> entries = new ArrayList<>(read.entries());
    queue.forEach(node -> entries.add(node.entry()));
    return new Reading(
        version, read.head(), entries, read.entries().size() + leading, isWhole, version);
  }
}
