package io.lockkeeper.zookeeper;

import io.lockkeeper.zookeeper.SimTree.Change;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * One server: it has the transactions in their order, but later than the leader. It answers reads
 * from what it has, in the order of their session, which includes that session's writings; and it
 * tells of a change before it answers anything that shows it.
 */
final class SimReplica {

  private final SimEnsemble ensemble;
  private final int number;
  private final SimTree tree = new SimTree();
  private long appliedNanos;
  private long forwardedNanos;

  /** Who watches which nodes. */
  private final Map<String, Set<SimLine>> watches = new LinkedHashMap<>();

  /** Who watches for good what is below which nodes. */
  private final Map<String, Set<SimLine>> watchesBelow = new LinkedHashMap<>();

  SimReplica(SimEnsemble ensemble, int number) {
    this.ensemble = ensemble;
    this.number = number;
  }

  SimTree tree() {
    return tree;
  }

  /** A request has come. */
  void receive(SimLine line, SimRequest request) {
    line.queue.add(request);
    if (request.isWrite()) {
      forward(() -> ensemble.propose(this, line, request));
    }
    answerReads(line);
  }

  /** Asks the leader something, behind all that was asked before. */
  void forward(Runnable question) {
    forwardedNanos = Math.max(forwardedNanos, ensemble.now() + ensemble.delayNanos());
    ensemble.at(forwardedNanos, question);
  }

  /** Has a transaction carried out here, after those before it. */
  void commit(SimTree.Txn txn, @Nullable SimLine line, @Nullable SimRequest request) {
    appliedNanos = Math.max(appliedNanos, ensemble.now() + ensemble.lagNanos());
    ensemble.at(appliedNanos, () -> apply(txn, line, request));
  }

  private void apply(SimTree.Txn txn, @Nullable SimLine line, @Nullable SimRequest request) {
    SimTree.Outcome outcome = tree.apply(txn);
    outcome.changes().forEach(this::tell);
    if (line != null && request != null) {
      answer(line, request, SimRequest.answer(request, outcome));
    }
  }

  /** As above, for what the leader has refused because of its session. */
  void refuse(SimLine line, SimRequest request, Runnable refusal) {
    appliedNanos = Math.max(appliedNanos, ensemble.now() + ensemble.lagNanos());
    ensemble.at(appliedNanos, () -> answer(line, request, refusal));
  }

  private void answer(SimLine line, SimRequest request, Runnable answer) {
    if (!request.equals(line.queue.peek())) {
      throw new IllegalStateException("writings are answered in their order");
    }
    line.queue.poll();
    line.answer(tree.zxid(), answer);
    answerReads(line);
  }

  /** Answers what waits for no writing of the same session before it. */
  private void answerReads(SimLine line) {
    SimRequest next = line.queue.peek();
    while (next != null && !next.isWrite()) {
      line.queue.poll();
      if (line.isOpen()) {
        boolean isThere = tree.has(next.path());
        if (next.watcher() != null && (isThere || next.watchesAbsence())) {
          watch(next.path(), line);
        }
        if (next.watchesBelow()) {
          watchesBelow.computeIfAbsent(next.path(), any -> new LinkedHashSet<>()).add(line);
        }
        line.answer(tree.zxid(), next.read(tree));
      }
      next = line.queue.peek();
    }
  }

  private void watch(String path, SimLine line) {
    watches.computeIfAbsent(path, any -> new LinkedHashSet<>()).add(line);
  }

  private void tell(Change change) {
    Set<SimLine> lines = watches.remove(change.path());
    if (lines != null) {
      lines.forEach(line -> line.tell(tree.zxid(), change.type(), change.path()));
    }
    watchesBelow.forEach(
        (path, all) -> {
          if ((change.path() + "/").startsWith(path + "/")) {
            all.forEach(line -> line.tellBelow(tree.zxid(), change.type(), change.path(), path));
          }
        });
  }

  /** Sets the watches of a client that has come from another server, and tells what it missed. */
  void rewatch(SimLine line, Map<String, Boolean> wasThere, Set<String> below, long sinceZxid) {
    below.forEach(
        path -> watchesBelow.computeIfAbsent(path, any -> new LinkedHashSet<>()).add(line));
    wasThere.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            entry -> {
              String path = entry.getKey();
              EventType missed = tree.missed(path, entry.getValue(), sinceZxid);
              if (missed == null) {
                watch(path, line);
              } else {
                line.tellMissed(tree.zxid(), missed, path);
              }
            });
  }

  @Override
  public String toString() {
    return "server" + number;
  }
}
