package io.lockkeeper.zookeeper;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A resource as it was read.
 *
 * @param exists whether its node is there
 * @param version the version of its record
 * @param zxid the transaction that wrote the record
 * @param doc the record
 * @param children how many children the node has; -1 if that is not known
 * @param queue who waits, in order; null if it was not asked
 * @param missing the grants whose node is gone, as far as that was asked
 * @param anchor the name of a child of the very node that was read, as far as one is known.
 *     Versions begin again when a resource's node is made anew, so a version alone does not tell
 *     which node it is of. But no node is deleted while it has a child, and names of children never
 *     come back: a version is compared with the right node's if the anchor is still there when it
 *     is. It must be proved to be of the node that was read: the record names it, or the list that
 *     has it is of the same node (see {@link Reading}), or this client knew of it before the record
 *     was read
 * @param hasStrangers whether it has children, as far as that was asked, that neither wait nor hold
 *     anything as the record has it: others made them, or changed the record. A node with children
 *     cannot be deleted
 */
record Snapshot(
    boolean exists,
    int version,
    long zxid,
    ResourceRecord doc,
    int children,
    @Nullable List<NodeName> queue,
    Set<NodeName> missing,
    @Nullable String anchor,
    boolean hasStrangers) {

  /** Creates one of a node without children that are not known to be anybody's. */
  Snapshot(
      boolean exists,
      int version,
      long zxid,
      ResourceRecord doc,
      int children,
      @Nullable List<NodeName> queue,
      Set<NodeName> missing,
      @Nullable String anchor) {
    this(exists, version, zxid, doc, children, queue, missing, anchor, false);
  }

  /** A resource that is not there. */
  static final Snapshot ABSENT =
      new Snapshot(false, -1, 0, ResourceRecord.EMPTY, 0, List.of(), Set.of(), null);

  /** Returns it with another anchor. */
  Snapshot anchored(@Nullable String name) {
    return new Snapshot(exists, version, zxid, doc, children, queue, missing, name, hasStrangers);
  }

  /** Returns how many children wait. */
  int waiting() {
    return children - (doc.grants().size() - missing.size()) - (doc.isKept() ? 1 : 0);
  }
}
