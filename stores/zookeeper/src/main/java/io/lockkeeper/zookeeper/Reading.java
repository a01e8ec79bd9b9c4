package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.support.Answers;
import io.lockkeeper.zookeeper.CasLoop.Want;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** Reads resources, each as far as the step that is to be decided wants it. */
final class Reading {

  private final Connection connection;
  private final Paths paths;
  private final StoreContext context;
  private final OwnClaims mine;

  Reading(Connection connection, Paths paths, StoreContext context, OwnClaims mine) {
    this.connection = connection;
    this.paths = paths;
    this.context = context;
    this.mine = mine;
  }

  /** Reads a resource. */
  @SuppressWarnings("FutureReturnValueIgnored") // composed in the next line
  CompletableFuture<Snapshot> load(ResourceId id, Want want) {
    if (want == Want.ABSENT) {
      return CompletableFuture.completedFuture(Snapshot.ABSENT);
    }
    Snapshot known = want == Want.KNOWN ? mine.remembered(id) : null;
    if (known != null && ownGrant(id, known) != null) {
      return CompletableFuture.completedFuture(
          new Snapshot(
              true,
              known.version(),
              known.zxid(),
              known.doc(),
              known.queue() == null ? -1 : known.children(),
              known.queue(),
              Set.of(),
              ownGrant(id, known),
              known.hasStrangers()));
    }
    String path = paths.resource(id);
    if (want == Want.SETTLED) {
      CompletableFuture<Void> caughtUp =
          connection.catchUp(path); // what is sent now comes after it
      return caughtUp.thenCombine(load(id, Want.ALL), (done, snapshot) -> snapshot);
    }
    boolean isLock = id.isExclusive();
    // It was made before the record is read. If it is still there when something is written, it has
    // been there all the time, and so has the node above it.
    String own = mine.anyNode(id);
    CompletableFuture<Connection.Node> record = connection.read(path, null);
    CompletableFuture<Snapshot> loaded;
    if (want == Want.ALL || (want == Want.HOLDERS && !isLock)) {
      CompletableFuture<Connection.Children> children = connection.children(path);
      loaded =
          record
              .thenCombine(
                  children,
                  (node, list) ->
                      isOf(node, list)
                          ? CompletableFuture.completedFuture(whole(path, node, list.names()))
                          : load(id, want))
              .thenCompose(whole -> whole);
    } else if (want == Want.HOLDERS) {
      loaded = record.thenCompose(node -> withHolder(path, brief(path, node)));
    } else {
      loaded = record.thenApply(node -> brief(path, node).anchored(own));
    }
    return loaded.exceptionallyCompose(
        failure ->
            ZkFailures.isMissing(failure)
                ? CompletableFuture.completedFuture(Snapshot.ABSENT)
                : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  /**
   * Returns whether a list is of the node whose record was read before. Between the two the node
   * can have been deleted and made anew, with the same version. Its children, which the record does
   * not name, would then be taken for anchors of that record, and the holder of the new one be
   * written out of it.
   */
  private static boolean isOf(Connection.Node record, Connection.Children list) {
    return record.stat().getCzxid() == list.stat().getCzxid();
  }

  /** Returns the node of a grant of this client that a record names and that lasts, or null. */
  private @Nullable String ownGrant(ResourceId id, Snapshot known) {
    long now = context.environment().time().nanos();
    for (Entry entry : known.doc().grants()) {
      OwnClaims.Held held =
          entry.node().belongsTo(context.clientId(), connection.sessionId())
              ? mine.held(id, entry.grant())
              : null;
      if (held != null && held.node().equals(entry.node()) && held.endNanos() - now > 0) {
        return entry.node().text();
      }
    }
    return null;
  }

  private Snapshot brief(String path, Connection.Node node) {
    Stat stat = node.stat();
    ResourceRecord doc = ResourceRecord.read(path, node.data()).resolved(stat.getMzxid());
    if (doc.isAheadOf(stat.getMzxid())) {
      mine.tokensRunAhead();
    }
    return new Snapshot(
        true, stat.getVersion(), stat.getMzxid(), doc, stat.getNumChildren(), null, Set.of(), null);
  }

  /**
   * The record was read before the list, of the same node: so a grant whose node is not listed is a
   * dead one, and any child that is listed tells which node it was.
   */
  private Snapshot whole(String path, Connection.Node node, List<String> names) {
    Snapshot brief = brief(path, node);
    Set<String> present = new HashSet<>(names);
    boolean isKept = present.contains(brief.doc().keeper());
    ResourceRecord doc = isKept ? brief.doc() : brief.doc().unkept();
    Set<NodeName> missing = new HashSet<>();
    Set<NodeName> granted = new HashSet<>();
    for (Entry entry : doc.grants()) {
      granted.add(entry.node());
      if (!present.contains(entry.node().text())) {
        missing.add(entry.node());
      }
    }
    List<NodeName> queue = new ArrayList<>();
    String stranger = null;
    for (String name : names) {
      NodeName parsed = NodeName.parse(name);
      if (parsed != null && parsed.waits() && !granted.contains(parsed)) {
        queue.add(parsed);
      } else if (!granted.contains(parsed) && !name.equals(doc.keeper())) {
        stranger = name;
      }
    }
    queue.sort(NodeName.ARRIVAL);
    String anchor = anchor(names, granted, queue);
    return new Snapshot(
        true,
        brief.version(),
        brief.zxid(),
        doc,
        names.size(),
        queue,
        missing,
        anchor == null ? stranger : anchor,
        stranger != null);
  }

  /** Chooses a node that is there, one of this client's own if there is one. */
  private @Nullable String anchor(List<String> names, Set<NodeName> granted, List<NodeName> queue) {
    Set<String> present = new HashSet<>(names);
    NodeName any = null;
    for (NodeName node :
        (Iterable<NodeName>) Stream.concat(granted.stream(), queue.stream())::iterator) {
      if (present.contains(node.text())) {
        if (node.belongsTo(context.clientId(), connection.sessionId())) {
          return node.text();
        }
        any = node;
      }
    }
    return any == null ? null : any.text();
  }

  private CompletableFuture<Snapshot> withHolder(String path, Snapshot brief) {
    if (brief.doc().grants().isEmpty()) {
      return CompletableFuture.completedFuture(brief);
    }
    NodeName holder = brief.doc().grants().get(0).node();
    return connection
        .exists(path + "/" + holder.text(), null)
        .thenApply(stat -> brief.anchored(holder.text()))
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? CompletableFuture.completedFuture(
                        new Snapshot(
                            true,
                            brief.version(),
                            brief.zxid(),
                            brief.doc(),
                            brief.children(),
                            null,
                            Set.of(holder),
                            null))
                    : CompletableFuture.failedFuture(failure));
  }
}
