package io.lockkeeper.zookeeper;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.record.Appending;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.Entry;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.support.Answers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.CreateOptions;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Writes records, each change as one transaction that fails as a whole if anybody was faster.
 *
 * <p>A record's node has a child that is made and deleted with it, whose name never comes again.
 * Where that is, the node is the one that was read, and so has the version that was read.
 *
 * <p>This file is long because the parts of a transaction and the meaning of its failure belong
 * together.
 */
final class NodeWrites {

  /** The largest data of a node, a little below the size of a request that servers accept. */
  private static final int LARGEST_DATA = 1_000_000;

  private static final String MARK = "i.";
  private static final int RADIX = 36;

  private final Connection connection;
  private final Nodes nodes;
  private final OwnEntries own;
  private final NodeReads reads;
  private final Mail mail;
  private final ServerClock clock;

  /** How many names this client has given to nodes, so that it gives none twice. */
  private final AtomicLong attempts = new AtomicLong();

  NodeWrites(
      Connection connection,
      Nodes nodes,
      OwnEntries own,
      NodeReads reads,
      Mail mail,
      ServerClock clock) {
    this.connection = connection;
    this.nodes = nodes;
    this.own = own;
    this.reads = reads;
    this.mail = mail;
    this.clock = clock;
  }

  /** Makes a change, or says that it is in conflict. */
  CompletableFuture<Outcome<CommitAnswer>> commit(Change change) {
    if (change.expected() == Change.ANY_ABSENCE) {
      return write(change, Known.absent(Change.ANY_ABSENCE, -1));
    }
    Known known = reads.known(change.key(), change.expected());
    return known != null && known.knows(change.removed())
        ? write(change, known)
        : reads
            .read(change.key(), false, !change.removed().isEmpty(), null)
            .thenCompose(
                read ->
                    read.version() == change.expected()
                        ? write(change, read)
                        : CompletableFuture.completedFuture(
                            Outcome.answered(new CommitAnswer.Conflict(null))));
  }

  private CompletableFuture<Outcome<CommitAnswer>> write(Change change, Known known) {
    Transaction transaction = new Transaction(change, known);
    if (transaction.size() > LARGEST_DATA) {
      return CompletableFuture.completedFuture(
          Outcome.refused(
              StoreProblem.OTHER,
              "a record of "
                  + transaction.size()
                  + " bytes; ZooKeeper takes at most "
                  + LARGEST_DATA));
    }
    return transaction.send();
  }

  private @Nullable String node(@Nullable String key) {
    return key == null ? null : nodes.record(key);
  }

  private Op createBound(String path, Entry entry, long session) {
    String name = BoundNode.name(entry, session, attempts.incrementAndGet());
    return Op.create(
        path + "/" + name,
        new byte[0],
        CreateOptions.newBuilder(connection.settings().acl(), CreateMode.EPHEMERAL_SEQUENTIAL)
            .build());
  }

  /** Returns the bound entries that a transaction has made, in order. */
  private static List<BoundNode> made(String path, List<OpResult> results) {
    List<BoundNode> made = new ArrayList<>();
    for (OpResult result : results) {
      if (result instanceof OpResult.CreateResult created
          && created.getPath().startsWith(path + "/")) {
        BoundNode node = BoundNode.parse(created.getPath().substring(path.length() + 1));
        if (node != null) {
          long zxid = created.getStat().getCzxid();
          made.add(node.at(Entry.place(zxid, made.size())));
        }
      }
    }
    return made;
  }

  /** Returns the node that a failure is about, if that is not there; or null. */
  private static @Nullable String missing(Throwable failure) {
    return Answers.cause(failure) instanceof KeeperException.NoNodeException missing
        ? missing.getPath()
        : null;
  }

  /** Returns the node that was not deleted because it has children; or null. */
  private static @Nullable String notEmpty(Throwable failure) {
    return Answers.cause(failure) instanceof KeeperException.NotEmptyException refused
        ? refused.getPath()
        : null;
  }

  // ------------------------------------------------------------- one change

  /** A change as a transaction. */
  private final class Transaction {

    private final Change change;
    private final Known known;
    private final String path;
    private final @Nullable RecordText before;
    private final @Nullable RecordText after;
    private final List<String> left = new ArrayList<>();
    private final List<Op> ops = new ArrayList<>();
    private final boolean isInSession;
    private final long session = connection.sessionId();
    private final @Nullable String demanded;

    Transaction(Change change, Known known) {
      this.change = change;
      this.known = known;
      this.demanded = node(change.demanded());
      this.path = nodes.record(change.key());
      this.before = known.text();
      List<BoundNode> queue = new ArrayList<>(known.queue());
      boolean isDeletion = change.head() == null;
      known.nodes(isDeletion ? allNames() : replaced()).forEach(it -> left.add(it.name()));
      queue.removeIf(node -> left.contains(node.name()));
      int leading =
          (int)
              known.queue().stream()
                  .limit(known.leading())
                  .filter(node -> !left.contains(node.name()))
                  .count();
      this.after = isDeletion ? null : text(queue.subList(0, leading));
      this.isInSession =
          demanded != null || change.isBound() || change.put().stream().anyMatch(Entry::isBound);
      if (demanded != null) {
        ops.add(Op.check(demanded, -1));
      }
      begin();
      left.forEach(name -> ops.add(Op.delete(path + "/" + name, -1)));
      end();
      change.put().stream()
          .filter(Entry::isBound)
          .forEach(entry -> ops.add(createBound(path, entry, session)));
      ops.addAll(mail.ops(change.messages()));
    }

    /** Returns the names of the bound entries that are removed, or are no longer bound. */
    private List<String> replaced() {
      List<String> names = new ArrayList<>(change.removed());
      change.put().forEach(entry -> names.add(entry.name()));
      return names;
    }

    private List<String> allNames() {
      return known.queue().stream().map(node -> node.entry().name()).toList();
    }

    private RecordText text(List<BoundNode> next) {
      Map<String, Entry> entries = new LinkedHashMap<>();
      if (before != null) {
        before.entries().forEach(entry -> entries.put(entry.name(), entry));
      }
      change.removed().forEach(entries::remove);
      change.put().stream()
          .filter(entry -> !entry.isBound())
          .forEach(entry -> entries.put(entry.name(), entry));
      return new RecordText(
          mark(), String.valueOf(change.head()), List.copyOf(entries.values()), next, left);
    }

    private String mark() {
      if (change.isBound()) {
        return "";
      } else if (before != null && !before.isBound()) {
        return before.mark();
      }
      return MARK
          + Long.toString(session, RADIX)
          + "."
          + Long.toString(attempts.incrementAndGet(), RADIX);
    }

    int size() {
      return after == null ? 0 : after.write().length;
    }

    /** Demands that the record is as it was read. */
    private void begin() {
      if (before == null && change.expected() != Change.ANY_ABSENCE) {
        ops.add(
            after == null
                ? Op.setData(nodes.tomb(change.key()), new byte[0], known.nodeVersion())
                : Op.check(nodes.tomb(change.key()), known.nodeVersion()));
      } else if (before != null && !before.isBound()) {
        ops.add(
            after == null || after.isBound()
                ? Op.delete(path + "/" + before.mark(), -1)
                : Op.check(path + "/" + before.mark(), -1));
      }
    }

    /** Writes the node. */
    private void end() {
      if (after == null && before == null) {
        ops.add(create(path, new byte[0], CreateMode.PERSISTENT)); // fails if it is there
        ops.add(Op.delete(path, -1));
      } else if (after == null) {
        ops.add(Op.delete(path, known.nodeVersion()));
        ops.add(Op.setData(nodes.tomb(change.key()), new byte[0], -1));
      } else if (before != null && before.isBound() == after.isBound() && isOfSession(after)) {
        ops.add(Op.setData(path, after.write(), known.nodeVersion()));
      } else {
        if (before != null) {
          ops.add(Op.delete(path, known.nodeVersion()));
        }
        CreateMode mode = after.isBound() ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT;
        ops.add(create(path, after.write(), mode));
        if (!after.isBound()) {
          ops.add(create(path + "/" + after.mark(), new byte[0], CreateMode.PERSISTENT));
        }
      }
    }

    /** Returns whether the node that is there goes with the session that the record goes with. */
    private boolean isOfSession(RecordText text) {
      return !text.isBound() || known.owner() == session;
    }

    private Op create(String node, byte[] data, CreateMode mode) {
      CreateOptions options = CreateOptions.newBuilder(connection.settings().acl(), mode).build();
      return Op.create(node, data, options);
    }

    CompletableFuture<Outcome<CommitAnswer>> send() {
      String other = change.demanded();
      if (other != null && own.isOfAnother(other, session)) {
        return CompletableFuture.completedFuture(Outcome.answered(new CommitAnswer.Absent()));
      }
      CompletableFuture<List<OpResult>> sent =
          isInSession ? connection.multi(ops, session) : connection.multi(ops);
      return sent.thenApply(results -> Outcome.<CommitAnswer>answered(made(results)))
          .exceptionallyCompose(this::failed);
    }

    private CommitAnswer.Committed made(List<OpResult> results) {
      Stat stat = stat(results);
      clock.learn(stat);
      own.wrote(change.key(), change.isBound() ? session : 0);
      own.remove(change.key(), left);
      List<BoundNode> added = NodeWrites.made(path, results);
      added.forEach(node -> own.add(change.key(), node));
      RecordText now = after;
      if (now == null) {
        reads.learn(change.key(), Known.absent(stat.getMzxid(), stat.getVersion()));
        return new CommitAnswer.Committed(stat.getMzxid(), 0, List.of());
      }
      List<BoundNode> queue = new ArrayList<>(known.queue());
      queue.removeIf(node -> left.contains(node.name()));
      queue.addAll(added);
      int bound =
          before == null || now.isBound() ? added.size() : stat.getNumChildren() - 1 + added.size();
      boolean isWhole = known.isWhole() && bound == queue.size();
      int leading = isWhole ? queue.size() : now.next().size();
      reads.learn(
          change.key(),
          new Known(
              stat.getMzxid(),
              stat.getVersion(),
              now,
              queue,
              leading,
              isWhole,
              now.isBound() ? session : 0));
      return new CommitAnswer.Committed(
          stat.getMzxid(),
          now.entries().size() + bound,
          added.stream().map(BoundNode::entry).toList());
    }

    /** Returns what is said of the node that has the version from now on. */
    private Stat stat(List<OpResult> results) {
      String written = after == null ? nodes.tomb(change.key()) : path;
      for (int i = 0; i < results.size(); i++) {
        if (ops.get(i).getPath().equals(written)) {
          if (results.get(i) instanceof OpResult.SetDataResult set) {
            return set.getStat();
          } else if (results.get(i) instanceof OpResult.CreateResult created) {
            return created.getStat();
          }
        }
      }
      throw new IllegalStateException("a change that wrote nothing: " + change.key());
    }

    private CompletableFuture<Outcome<CommitAnswer>> failed(Throwable failure) {
      String missing = missing(failure);
      if (demanded != null && demanded.equals(missing)) {
        return CompletableFuture.completedFuture(Outcome.answered(new CommitAnswer.Absent()));
      } else if (nodes.tomb(change.key()).equals(missing)) {
        return reads.makeTomb(change.key()).thenCompose(made -> write(change, known));
      } else if ((path.equals(missing) && before == null) || mail.isWithoutFolder(missing)) {
        return connection
            .createFolder(nodes.folder(change.key()))
            .thenCompose(made -> write(change, known));
      } else if (!ZkFailures.isConflict(failure)) {
        if (isInSession) {
          own.doubt(change.key());
        }
        return CompletableFuture.failedFuture(Answers.cause(failure));
      }
      if (before != null && (path + "/" + before.mark()).equals(notEmpty(failure))) {
        return CompletableFuture.failedFuture(
            new ZkFailures.ForeignRecordException(path + "/" + before.mark()));
      }
      ReadRequest shown = change.otherwise();
      boolean isOfChild = missing != null || ZkFailures.isNotEmpty(failure);
      if (shown == null && !isOfChild) {
        return conflict(null);
      }
      // This server has carried the transaction out, so what it has now is current. A list shows
      // which entries have gone that the data still names.
      boolean lists =
          isOfChild
              || own.isDoubtful(change.key())
              || (shown != null && shown.first() == ReadRequest.ALL);
      return reads
          .read(change.key(), false, lists, null)
          .thenCompose(read -> conflict(read.reading()));
    }

    private CompletableFuture<Outcome<CommitAnswer>> conflict(@Nullable Reading found) {
      return CompletableFuture.completedFuture(Outcome.answered(new CommitAnswer.Conflict(found)));
    }
  }

  // ------------------------------------------------------------- appending

  /** Puts entries at the end, and reads what is there then, in one round trip. */
  CompletableFuture<Reading> append(Appending appending) {
    String key = appending.key();
    String path = nodes.record(key);
    long session = connection.sessionId();
    String demanded = appending.demanded();
    if (demanded != null && own.isOfAnother(demanded, session)) {
      return CompletableFuture.completedFuture(Reading.absent(Change.ANY_ABSENCE));
    }
    List<Op> ops = new ArrayList<>();
    if (demanded != null) {
      ops.add(Op.check(nodes.record(demanded), -1));
    }
    appending.put().forEach(entry -> ops.add(createBound(path, entry, session)));
    ops.addAll(mail.ops(appending.messages()));
    CompletableFuture<List<OpResult>> put =
        connection
            .multi(ops, session)
            .thenApply(
                results -> {
                  made(path, results).forEach(node -> own.add(key, node));
                  return results;
                });
    CompletableFuture<Known> read =
        reads.read(key, false, appending.shown().first() == ReadRequest.ALL, null);
    return put.thenCombine(read, (results, after) -> after.reading())
        .exceptionallyCompose(
            failure -> {
              String missing = missing(failure);
              if (mail.isWithoutFolder(missing)) {
                return connection
                    .createFolder(nodes.folder(key))
                    .thenCompose(made -> append(appending));
              } else if (missing != null) {
                return CompletableFuture.completedFuture(Reading.absent(Change.ANY_ABSENCE));
              }
              own.doubt(key);
              return CompletableFuture.failedFuture(Answers.cause(failure));
            });
  }
}
