package io.lockkeeper.zookeeper;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.rule.Door;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * One resource in the middle of a step: what was read, and what the step makes of it. It is the
 * rule of the queue and asks nothing of the store; {@link #ops} says what to write in one
 * transaction, which fails as a whole if anybody was quicker.
 */
final class Draft {

  /** How many of the queue the record of a lock names, so that not every release has to list it. */
  private static final int AHEAD = 24;

  /**
   * How many changes of a limit the record names, so that one whose answer was lost is not made
   * twice.
   */
  private static final int CHANGES = 32;

  private static final byte[] POKE = {'g'};

  /** Who makes the step. */
  record Who(
      String client,
      long session,
      long attempt,
      String card,
      long deadlineMillis,
      long coverMillis) {}

  final ResourceId id;
  final ResourceKind kind;
  final Snapshot base;
  final List<Entry> grants;
  private final Who who;
  private final long nowMillis;
  private final Set<String> deletes = new LinkedHashSet<>();
  private final Set<String> pokes = new LinkedHashSet<>();
  private final List<String> changes;
  private List<NodeName> ahead;
  private @Nullable List<NodeName> queue;
  private @Nullable String fresh;
  private int limit;
  private boolean resized;
  private long last;
  private boolean changed;
  private boolean needsQueue;

  Draft(ResourceId id, Snapshot base, Who who, long nowMillis) {
    this.id = id;
    this.kind = id.kind();
    this.base = base;
    this.who = who;
    this.nowMillis = nowMillis;
    Doc doc = base.doc();
    this.grants = new ArrayList<>(doc.grants());
    this.ahead = new ArrayList<>(doc.ahead());
    this.changes = new ArrayList<>(doc.changes());
    this.limit = doc.limit();
    this.resized = doc.resized();
    this.last = doc.last();
    List<NodeName> listed = base.queue();
    if (listed != null) {
      this.queue = new ArrayList<>(listed);
    } else if (base.children() >= 0 && base.waiting() <= 0) {
      this.queue = new ArrayList<>();
    }
  }

  boolean isChanged() {
    return changed;
  }

  /** Returns whether the step cannot be decided without knowing who waits. */
  boolean needsQueue() {
    return needsQueue;
  }

  int limit() {
    return limit;
  }

  boolean isResized() {
    return resized;
  }

  @Nullable List<NodeName> queue() {
    return queue;
  }

  Set<String> deletes() {
    return deletes;
  }

  // ---------------------------------------------------------------- looking

  /** Returns this client's grant of a claim, or null. */
  @Nullable Entry mine(long claim) {
    for (Entry entry : grants) {
      if (isMine(entry) && entry.claims().contains(claim)) {
        return entry;
      }
    }
    return null;
  }

  /** Returns this client's first grant, or null. */
  @Nullable Entry anyOfMine() {
    return grants.stream().filter(this::isMine).findFirst().orElse(null);
  }

  boolean isMine(Entry entry) {
    return entry.node().belongsTo(who.client(), who.session());
  }

  /** Returns the grant of a client with this number, or null. */
  @Nullable Entry find(String client, long grant) {
    return grants.stream().filter(e -> e.isOf(client, grant)).findFirst().orElse(null);
  }

  /** Returns this client's node in the queue with this claim, or null. */
  @Nullable NodeName waitingNode(long claim) {
    List<NodeName> listed = queue;
    if (listed == null) {
      return null;
    }
    return listed.stream()
        .filter(n -> n.belongsTo(who.client(), who.session()) && n.claim() == claim)
        .findFirst()
        .orElse(null);
  }

  // ---------------------------------------------------------------- changing

  /** Has the queue read, and the step decided again. */
  void demandQueue() {
    needsQueue |= queue == null;
  }

  /** Has the queue read if there is something to write and nothing to tell the node by. */
  void demandAnchor() {
    if (changed && base.exists() && !isAnchored()) {
      demandQueue();
    }
  }

  /** As {@link #demandQueue}, if nobody holds it: then only who waits can be in the way. */
  void demandQueueIfFree() {
    if (grants.isEmpty()) {
      demandQueue();
    }
  }

  /** Has the node deleted if it is not needed. */
  void tidy() {
    if (base.exists() && queue != null && isIdle()) {
      changed = true;
    }
  }

  /** Drops the grants that are over; returns whether there were any. */
  boolean drop(Predicate<Entry> isOver) {
    List<Entry> over = grants.stream().filter(isOver).toList();
    over.forEach(this::end);
    return !over.isEmpty();
  }

  /** Ends a grant. */
  void end(Entry entry) {
    grants.remove(entry);
    boolean isMissing = base.missing().contains(entry.node());
    if (!isMissing) {
      deletes.add(entry.node().text());
    }
    changed |= !isMissing || kind != ResourceKind.BARRIER; // who has left one needs no writing
  }

  /** Ends a grant, and has nobody hold the lock for so long: a node that outlasts all sessions. */
  void rest(Entry entry, long restMillis) {
    String name = entry.node().resting(restMillis, who.attempt());
    fresh = name;
    if (!base.missing().contains(entry.node())) {
      deletes.add(entry.node().text());
    }
    replace(entry, entry.resting(parsed(name), restMillis, who.card()));
  }

  /** Takes back the tokens that a holder has not used. */
  void giveBack(Entry entry, long usedToken) {
    if (last == entry.lastToken()) {
      last = Math.max(usedToken, entry.firstToken() - 1);
    }
  }

  /** Takes a waiting claim out. */
  void leave(NodeName node) {
    List<NodeName> listed = queue;
    if (listed != null) {
      listed.remove(node);
    }
    ahead.remove(node);
    deletes.add(node.text());
    changed = true;
  }

  Entry replace(Entry before, Entry after) {
    grants.set(grants.indexOf(before), after);
    changed = true;
    return after;
  }

  /**
   * Begins a grant's lease anew. That of a barrier is only news, whose lease nobody counts: so its
   * members do not contend for the record.
   */
  Entry stamp(Entry entry, long leaseMillis, boolean confirmed) {
    if (kind == ResourceKind.BARRIER) {
      return entry;
    }
    boolean covered = leaseMillis <= who.coverMillis();
    Entry stamped = entry.stamped(leaseMillis, confirmed, covered);
    return replace(entry, isMine(entry) ? stamped.withCard(card(entry.node(), covered)) : stamped);
  }

  /** Returns what names this client where the servers may forget it before the grant is over. */
  private String card(NodeName node, boolean covered) {
    return !covered && node.belongsTo(who.client(), who.session()) ? who.card() : "";
  }

  /** Changes the limit for good, or gives it up, unless that was done before. */
  Resized resize(ResizeRequest request) {
    String name = who.client() + ' ' + request.number();
    if (changes.contains(name)) {
      return new Resized(true, limit);
    }
    long after = request.after(limit);
    if (!request.fits(after)) {
      return new Resized(false, limit);
    }
    boolean set = request.kind() != ResizeRequest.Kind.GIVE_UP;
    changed |= resized || set;
    resized = set;
    if (set) {
      limit = (int) after;
    }
    if (changed) {
      changes.add(name);
      changes.subList(0, Math.max(0, changes.size() - CHANGES)).clear();
    }
    return new Resized(true, limit);
  }

  /** Says the limit if nobody has. */
  void suggestLimit(int suggested) {
    if (limit == Inspection.UNSET) {
      limit = suggested;
    }
  }

  /** Makes a node for a claim that is granted at once, and the grant. */
  Entry grantAtOnce(ClaimRequest request) {
    String name = NodeName.of(false, who.client(), who.session(), who.attempt(), request);
    fresh = name;
    NodeName node = parsed(name);
    return let(node, List.of(node), request.tokens(), request.leaseMillis(), true);
  }

  // ---------------------------------------------------------------- the rule

  /** Lets in whom the rule lets in now. */
  void admit() {
    if (kind.isExclusive()) {
      admitRun();
    } else if (isFull()) {
      return; // whoever waits waits on
    } else if (queue == null) {
      needsQueue |= base.children() >= 0 || !grants.isEmpty() || keeps();
    } else if (kind == ResourceKind.BARRIER) {
      while (limit > 0 && queue.size() >= limit) {
        admit(Door.first(limit), queue);
      }
    } else {
      admit(Door.whilePermitsLast(limit, out()), queue);
    }
    settle();
  }

  /** Returns whether a new claim may be granted at once; a barrier then lets in its group. */
  boolean mayEnter(ClaimRequest request) {
    if (kind.isExclusive()) {
      return grants.isEmpty() && queue != null && queue.isEmpty();
    }
    if (kind == ResourceKind.BARRIER) {
      if (queue == null) {
        needsQueue = true;
        return false;
      }
      boolean complete = queue.size() == limit - 1;
      if (complete) {
        admit(Door.first(limit - 1), queue);
      }
      return complete;
    }
    if (request.share().permits() > limit - out()) {
      return false;
    }
    if (request.share().overtakes()) {
      return true;
    }
    if (queue == null) {
      needsQueue = true;
      return false;
    }
    return queue.stream().noneMatch(waiting -> waiting.permits() <= limit);
  }

  /** Returns whether nobody can be let in, whoever waits. */
  boolean isFull() {
    return switch (kind) {
      case LOCK, LEADER_ELECTION -> !grants.isEmpty();
      case BARRIER -> false;
      case READ_WRITE_LOCK, SEMAPHORE -> limit > 0 && out() >= limit;
    };
  }

  private long out() {
    return grants.stream().mapToLong(Entry::permits).sum();
  }

  private void admitRun() {
    if (!grants.isEmpty()) {
      return;
    }
    if (queue == null && ahead.isEmpty() && base.children() < 0) {
      return; // most likely nobody waits: then the node can be deleted, else that fails
    }
    List<NodeName> line = queue == null ? ahead : queue;
    List<NodeName> run = run(line);
    if (queue == null && run.size() == line.size()) {
      needsQueue = true; // what follows may belong to the run
      return;
    }
    if (run.isEmpty()) {
      return;
    }
    NodeName first = run.get(0);
    long tokens = run.stream().mapToLong(NodeName::tokens).sum();
    let(first, run, tokens, Math.min(first.leaseMillis(), who.deadlineMillis()), false);
    pokes.add(first.text());
    run.stream().skip(1).forEach(node -> deletes.add(node.text()));
    line.removeAll(run);
    if (queue != null) {
      ahead = new ArrayList<>(queue.subList(0, Math.min(AHEAD, queue.size())));
    }
  }

  private static List<NodeName> run(List<NodeName> line) {
    List<NodeName> run = new ArrayList<>();
    for (NodeName next : line) {
      boolean fits =
          run.isEmpty()
              || (next.belongsTo(run.get(0).client(), run.get(0).session())
                  && next.leaseMillis() == run.get(0).leaseMillis()
                  && run.size() < Store.MAX_RUN);
      if (!fits) {
        break;
      }
      run.add(next);
    }
    return run;
  }

  /** Lets claims of what is shared in, in their order, as the door says. */
  private void admit(Door door, List<NodeName> listed) {
    List<NodeName> entering = new ArrayList<>();
    for (NodeName node : listed) {
      Door.Verdict verdict = door.visit(node.permits(), node.share().overtakes());
      if (verdict == Door.Verdict.STOP) {
        break;
      } else if (verdict == Door.Verdict.TAKE) {
        entering.add(node);
      }
    }
    listed.removeAll(entering);
    boolean isBarrier = kind == ResourceKind.BARRIER;
    for (NodeName node : entering) {
      long deadline = isBarrier ? Long.MAX_VALUE : who.deadlineMillis();
      letShare(node, Math.min(node.leaseMillis(), deadline), isBarrier);
    }
  }

  private void letShare(NodeName node, long leaseMillis, boolean confirmed) {
    let(node, List.of(node), 1, leaseMillis, confirmed);
    pokes.add(node.text());
  }

  private Entry let(
      NodeName node, List<NodeName> run, long tokens, long leaseMillis, boolean confirmed) {
    boolean covered = leaseMillis <= who.coverMillis();
    Entry entry =
        new Entry(
            node,
            node.claim(),
            run.stream().map(NodeName::claim).toList(),
            run.size(),
            node.permits(),
            0,
            tokens,
            leaseMillis,
            1,
            confirmed,
            covered,
            nowMillis,
            card(node, covered));
    grants.add(entry);
    changed = true;
    return entry;
  }

  /** Forgets a limit that belonged to claims which are all gone. */
  private void settle() {
    if (!resized && grants.isEmpty() && queue != null && queue.isEmpty()) {
      limit = Inspection.UNSET;
    }
  }

  private static NodeName parsed(String name) {
    NodeName parsed = NodeName.parse(name);
    if (parsed == null) {
      throw new IllegalStateException("not a name that can be read again: " + name);
    }
    return parsed;
  }

  // ---------------------------------------------------------------- writing

  /** Returns whether nothing is left that the node is needed for. */
  boolean isIdle() {
    return grants.isEmpty()
        && (queue == null ? base.children() < 0 : queue.isEmpty())
        && !keeps()
        && !base.hasStrangers();
  }

  /**
   * Returns whether the record means something even without any claim's node: its limit was set for
   * good, its tokens are ahead of the transactions, or it has a grant that may outlast its session
   * and with it its node. A record that means something always has a child.
   */
  private boolean keeps() {
    boolean outlasts = kind != ResourceKind.BARRIER && grants.stream().anyMatch(e -> !e.covered());
    return resized || outlasts || last >= Doc.firstToken(base.zxid() + 1);
  }

  private String keeper() {
    if (!keeps()) {
      return "";
    }
    return base.doc().isKept() ? base.doc().keeper() : NodeName.keep(who.session(), who.attempt());
  }

  /** Returns the record as it will be; new grants have no tokens yet. */
  Doc doc() {
    List<NodeName> next = grants.isEmpty() ? List.of() : ahead;
    return new Doc(last, limit, resized, keeper(), grants, next, changes);
  }

  /** Returns by how many the children of the node become more. */
  int childrenAdded() {
    int kept = (keeps() ? 1 : 0) - (base.doc().isKept() ? 1 : 0);
    return (fresh == null ? 0 : 1) + kept - deletes.size();
  }

  /** Returns whether the version can only be that of the node which was read. */
  private boolean isAnchored() {
    return anchor() != null || !deletes.isEmpty() || !pokes.isEmpty();
  }

  /** Returns a child of the node that was read, or null; see {@link Snapshot#anchor}. */
  private @Nullable String anchor() {
    String known = base.anchor();
    return known == null && base.doc().isKept() ? base.doc().keeper() : known;
  }

  /**
   * Returns whether the resource's node is made, also in the place of one without any children:
   * there nothing tells that it is still the node that was read. That does no harm, because it is
   * deleted, which fails if it has a child; and no record without one means anything (see {@link
   * #keeps}).
   */
  boolean isNew() {
    return !base.exists() || (!isAnchored() && !isIdle());
  }

  /**
   * Returns what to do in one transaction. The node itself is the last, unless it is deleted or
   * made.
   */
  List<Op> ops(String path, List<ACL> acl) {
    List<Op> ops = new ArrayList<>();
    Doc doc = doc();
    boolean ends = base.exists() && isIdle();
    String kept = base.doc().keeper();
    if (base.exists() && !isNew()) {
      check(path, ops);
    }
    deletes.forEach(name -> ops.add(Op.delete(path + "/" + name, -1)));
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
    if (fresh != null) {
      boolean lasts = parsed(fresh).isResting();
      CreateMode mode = lasts ? CreateMode.PERSISTENT : CreateMode.EPHEMERAL;
      ops.add(Op.create(path + "/" + fresh, new byte[0], acl, mode));
    }
    Set<String> poked = new HashSet<>(pokes);
    poked.removeAll(deletes);
    poked.forEach(name -> ops.add(Op.setData(path + "/" + name, POKE, -1)));
    if (ends) {
      ops.add(Op.delete(path, base.version()));
    } else if (!isNew()) {
      ops.add(Op.setData(path, doc.write(), base.version()));
    }
    return ops;
  }

  private void check(String path, List<Op> ops) {
    String anchor = anchor();
    if (anchor != null && deletes.isEmpty() && pokes.isEmpty()) {
      ops.add(Op.check(path + "/" + anchor, -1));
    }
  }
}
