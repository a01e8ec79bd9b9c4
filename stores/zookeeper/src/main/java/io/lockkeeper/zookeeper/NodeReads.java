package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.support.Answers;
import io.lockkeeper.spi.support.RecentlyUsed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Reads records, each as far as is asked, and remembers what was read: a change names only the
 * version that it expects.
 */
final class NodeReads {

  private static final int MOST_KNOWN = 2_000;

  private final Connection connection;
  private final Nodes nodes;
  private final OwnEntries own;
  private final RecentlyUsed<String, Known> known = new RecentlyUsed<>(MOST_KNOWN);

  NodeReads(Connection connection, Nodes nodes, OwnEntries own) {
    this.connection = connection;
    this.nodes = nodes;
    this.own = own;
  }

  /** Returns the record at this version, or null if that is not known. */
  @Nullable Known known(String key, long version) {
    Known latest = known.get(key);
    return latest != null && latest.version() == version ? latest : null;
  }

  void learn(String key, Known now) {
    known.put(key, now);
  }

  /** Reads a record. */
  CompletableFuture<Known> read(ReadRequest request, @Nullable Watcher watcher) {
    boolean lists = request.first() == ReadRequest.ALL;
    return read(request.key(), request.isCurrent(), lists, watcher);
  }

  /**
   * Reads a record. If entries were put and the answer was lost, what is read is current and lists
   * them: the server may be behind the one that put them, and they must not be put again.
   *
   * @param isCurrent whether that must be as a majority has it, and nothing come any more that was
   *     sent before
   * @param lists whether all bound entries are needed
   */
  @SuppressWarnings("FutureReturnValueIgnored") // composed in the last lines
  CompletableFuture<Known> read(
      String key, boolean isCurrent, boolean lists, @Nullable Watcher watcher) {
    boolean isDoubtful = own.isDoubtful(key);
    boolean listsAll = lists || isDoubtful;
    if (!isCurrent && !isDoubtful) {
      return load(key, false, lists, watcher);
    }
    // What is sent now is carried out after it.
    CompletableFuture<Boolean> caughtUp = caughtUp(key, listsAll);
    return caughtUp
        .thenCombine(
            load(key, true, listsAll, watcher),
            (isThere, read) ->
                isThere ? CompletableFuture.completedFuture(read) : load(key, true, true, watcher))
        .thenCompose(read -> read);
  }

  /**
   * Lets the server catch up with a majority, by a transaction that changes nothing. It says too
   * whether this client's entries are still there, if they are not to be listed.
   */
  private CompletableFuture<Boolean> caughtUp(String key, boolean lists) {
    String path = nodes.record(key);
    List<Op> checks =
        lists
            ? List.of()
            : own.of(key).stream().map(node -> Op.check(path + "/" + node.name(), -1)).toList();
    if (checks.isEmpty()) {
      return connection.catchUp(path).thenApply(done -> true);
    }
    return connection
        .multi(checks)
        .thenApply(results -> true)
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // composed in the last lines
  private CompletableFuture<Known> load(
      String key, boolean isCurrent, boolean lists, @Nullable Watcher watcher) {
    String path = nodes.record(key);
    CompletableFuture<Connection.Node> data = connection.read(path, watcher);
    CompletableFuture<Known> loaded;
    if (lists) {
      CompletableFuture<Connection.Children> children = connection.children(path);
      loaded =
          data.thenCombine(
                  children,
                  (node, list) ->
                      isOf(node, list)
                          ? CompletableFuture.completedFuture(whole(key, node, list, isCurrent))
                          : load(key, isCurrent, true, watcher))
              .thenCompose(whole -> whole);
    } else {
      loaded = data.thenApply(node -> page(key, node));
    }
    return loaded
        .thenCompose(read -> placed(key, read))
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? absent(key, watcher)
                    : CompletableFuture.failedFuture(Answers.cause(failure)))
        .thenApply(
            read -> {
              learn(key, read);
              return read;
            });
  }

  /** Returns whether a list is of the very record whose data was read before. */
  private static boolean isOf(Connection.Node data, Connection.Children list) {
    return data.stat().getMzxid() == list.stat().getMzxid();
  }

  private Known whole(
      String key, Connection.Node node, Connection.Children list, boolean isCurrent) {
    String path = nodes.record(key);
    RecordText text = RecordText.read(path, node.data());
    if (!text.isBound() && !list.names().contains(text.mark())) {
      throw new ZkFailures.ForeignRecordException(path); // a stranger took it away
    }
    List<BoundNode> all = new ArrayList<>();
    for (String name : list.names()) {
      BoundNode bound = BoundNode.parse(name);
      if (bound != null) {
        all.add(bound);
      } else if (!name.equals(text.mark())) {
        throw new ZkFailures.ForeignRecordException(path + "/" + name);
      }
    }
    all.sort(BoundNode.ARRIVAL);
    List<BoundNode> queue = own.listed(key, all, connection.sessionId(), isCurrent);
    return new Known(
        node.stat().getMzxid(),
        node.stat().getVersion(),
        text,
        queue,
        queue.size(),
        true,
        node.stat().getEphemeralOwner());
  }

  /** Returns what the data says: the first bound entries, and this client's own. */
  private Known page(String key, Connection.Node node) {
    String path = nodes.record(key);
    RecordText text = RecordText.read(path, node.data());
    own.remove(key, text.left());
    Set<String> first = new HashSet<>();
    List<BoundNode> queue = new ArrayList<>();
    List<BoundNode> mine = own.of(key);
    for (BoundNode next : text.next()) {
      first.add(next.name());
      queue.add(mine.stream().filter(it -> it.name().equals(next.name())).findFirst().orElse(next));
    }
    // What was missing at this version does not come back; the data may name it for long.
    Known latest = known(key, node.stat().getMzxid());
    queue.removeIf(
        next -> latest != null && latest.queue().stream().noneMatch(it -> isSame(it, next)));
    int leading = queue.size();
    mine.stream().filter(it -> !first.contains(it.name())).forEach(queue::add);
    int children = node.stat().getNumChildren() - (text.isBound() ? 0 : 1);
    return new Known(
        node.stat().getMzxid(),
        node.stat().getVersion(),
        text,
        queue,
        leading,
        children == queue.size(),
        node.stat().getEphemeralOwner());
  }

  private static boolean isSame(BoundNode one, BoundNode other) {
    return one.name().equals(other.name());
  }

  /**
   * Asks for the places of this client's entries that were found: the answer that had them was
   * lost.
   */
  private CompletableFuture<Known> placed(String key, Known read) {
    CompletableFuture<Known> all = CompletableFuture.completedFuture(read);
    for (BoundNode node : read.queue()) {
      if (node.entry().place() == 0 && node.session() == connection.sessionId()) {
        CompletableFuture<Stat> stat =
            connection.exists(nodes.record(key) + "/" + node.name(), null);
        all =
            all.thenCombine(
                stat,
                (known, found) -> {
                  BoundNode placed = node.at(known.nextPlace(found.getCzxid()));
                  own.add(key, placed);
                  return known.with(placed);
                });
      }
    }
    return all;
  }

  /** Reads since when there is no record. */
  private CompletableFuture<Known> absent(String key, @Nullable Watcher watcher) {
    CompletableFuture<Stat> watched =
        watcher == null
            ? CompletableFuture.completedFuture(new Stat())
            : connection.exists(nodes.record(key), watcher).exceptionally(gone -> new Stat());
    return connection
        .exists(nodes.tomb(key), null)
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? makeTomb(key)
                    : CompletableFuture.failedFuture(Answers.cause(failure)))
        .thenCombine(watched, (tomb, done) -> Known.absent(tomb.getMzxid(), tomb.getVersion()));
  }

  /** Makes the node that is written when a record is deleted. It is never deleted. */
  CompletableFuture<Stat> makeTomb(String key) {
    String tomb = nodes.tomb(key);
    return connection
        .create(tomb, new byte[0], CreateMode.PERSISTENT)
        .thenApply(Connection.Created::stat)
        .exceptionallyCompose(
            failure -> {
              if (ZkFailures.isMissing(failure)) {
                return connection
                    .createFolder(nodes.folder(key))
                    .thenCompose(made -> makeTomb(key));
              }
              return ZkFailures.isConflict(failure)
                  ? connection.exists(tomb, null)
                  : CompletableFuture.failedFuture(Answers.cause(failure));
            });
  }
}
