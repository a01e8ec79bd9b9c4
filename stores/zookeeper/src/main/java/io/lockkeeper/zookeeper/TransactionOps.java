package io.lockkeeper.zookeeper;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/** The operations on nodes that write what a step has made of a resource, in one transaction. */
final class TransactionOps {

  private static final byte[] POKE = {'g'};

  private final ResourceTransaction draft;
  private final Snapshot base;
  private final ResourceRecord doc;

  TransactionOps(ResourceTransaction draft) {
    this.draft = draft;
    this.base = draft.base;
    this.doc = draft.doc();
  }

  /** Returns by how many the children of the node become more. */
  int childrenAdded() {
    int kept = (doc.isKept() ? 1 : 0) - (base.doc().isKept() ? 1 : 0);
    return draft.fresh().size() + kept - draft.deletes().size();
  }

  /** Returns whether the version can only be that of the node which was read. */
  static boolean isAnchored(ResourceTransaction draft) {
    return anchor(draft.base) != null || !draft.deletes().isEmpty() || !draft.pokes().isEmpty();
  }

  /** Returns a child of the node that was read, or null; see {@link Snapshot#anchor}. */
  private static @Nullable String anchor(Snapshot base) {
    String known = base.anchor();
    return known == null && base.doc().isKept() ? base.doc().keeper() : known;
  }

  /**
   * Returns whether the resource's node is made, also in the place of one without any children:
   * there nothing tells that it is still the node that was read. That does no harm, because it is
   * deleted, which fails if it has a child; and no record without one means anything (see {@link
   * ResourceTransaction#keeps}).
   */
  boolean isNew() {
    return !base.exists() || (!isAnchored(draft) && !draft.isIdle());
  }

  /**
   * Returns what to do in one transaction. The node itself is the last, unless it is deleted or
   * made.
   */
  List<Op> write(String path, List<ACL> acl) {
    List<Op> ops = new ArrayList<>();
    boolean ends = base.exists() && draft.isIdle();
    String kept = base.doc().keeper();
    if (base.exists() && !isNew()) {
      check(path, ops);
    }
    draft.deletes().forEach(name -> ops.add(Op.delete(path + "/" + name, -1)));
    if (!kept.isEmpty() && !doc.isKept()) {
      ops.add(Op.delete(path + "/" + kept, -1));
    }
    if (isNew()) {
      if (base.exists()) {
        ops.add(Op.delete(path, base.version()));
      }
      ops.add(Op.create(path, doc.write(), acl, CreateMode.CONTAINER));
    }
    if (doc.isKept() && kept.isEmpty()) {
      ops.add(Op.create(path + "/" + doc.keeper(), new byte[0], acl, CreateMode.PERSISTENT));
    }
    for (NodeName fresh : draft.fresh()) {
      CreateMode mode = fresh.isResting() ? CreateMode.PERSISTENT : CreateMode.EPHEMERAL;
      ops.add(Op.create(path + "/" + fresh.text(), new byte[0], acl, mode));
    }
    Set<String> poked = new HashSet<>(draft.pokes());
    poked.removeAll(draft.deletes());
    poked.forEach(name -> ops.add(Op.setData(path + "/" + name, POKE, -1)));
    draft.admitted().stream() // who was read of may have left the queue since
        .map(entry -> entry.node().text())
        .filter(name -> !draft.deletes().contains(name))
        .forEach(name -> ops.add(Op.check(path + "/" + name, -1)));
    if (ends) {
      ops.add(Op.delete(path, base.version()));
    } else if (!isNew()) {
      ops.add(Op.setData(path, doc.write(), base.version()));
    }
    return ops;
  }

  private void check(String path, List<Op> ops) {
    String anchor = anchor(base);
    if (anchor != null && draft.deletes().isEmpty() && draft.pokes().isEmpty()) {
      ops.add(Op.check(path + "/" + anchor, -1));
    }
  }
}
