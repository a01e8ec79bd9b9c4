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
 */
record Snapshot(
    boolean exists,
    int version,
    long zxid,
    Doc doc,
    int children,
    @Nullable List<NodeName> queue,
    Set<NodeName> missing) {

  /** A resource that is not there. */
  static final Snapshot ABSENT = new Snapshot(false, -1, 0, Doc.EMPTY, 0, List.of(), Set.of());

  /** Returns how many children wait. */
  int waiting() {
    return children - (doc.grants().size() - missing.size()) - (doc.kept() ? 1 : 0);
  }
}
