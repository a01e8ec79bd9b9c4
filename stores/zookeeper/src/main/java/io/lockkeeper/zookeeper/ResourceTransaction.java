package io.lockkeeper.zookeeper;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.rule.Admission;
import io.lockkeeper.spi.rule.ClaimBatch;
import io.lockkeeper.spi.rule.Door;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One resource in the middle of a step: what was read, and what the step makes of it. It is the
 * rule of the queue and asks nothing of the store; {@link TransactionOps} says what to write in one
 * transaction, which fails as a whole if anybody was quicker.
 *
 * <p>This file is long because the rule and what a step changes work on the same fields.
 */
final class ResourceTransaction {

  /** How many of the queue the record of a lock names, so that not every release has to list it. */
  private static final int AHEAD = 24;

  /** The client that makes the step. */
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
  private final List<NodeName> fresh = new ArrayList<>();
  private final List<Entry> admitted = new ArrayList<>();
  private final ResourceLimit limit;
  private List<NodeName> ahead;
  private @Nullable List<NodeName> queue;
  private long last;
  private boolean changed;
  private boolean needsQueue;

  ResourceTransaction(ResourceId id, Snapshot base, Who who, long nowMillis) {
    this.id = id;
    this.kind = id.kind();
    this.base = base;
    this.who = who;
    this.nowMillis = nowMillis;
    ResourceRecord doc = base.doc();
    this.grants = new ArrayList<>(doc.grants());
    this.ahead = new ArrayList<>(doc.ahead());
    this.limit = new ResourceLimit(doc);
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

  ResourceLimit limit() {
    return limit;
  }

  @Nullable List<NodeName> queue() {
    return queue;
  }

  Set<String> deletes() {
    return deletes;
  }

  /** Returns the nodes of those who are to notice that they were admitted. */
  Set<String> pokes() {
    return pokes;
  }

  /** Returns this client's own grants that were admitted: it notices that without a poke. */
  List<Entry> admitted() {
    return admitted;
  }

  /** Records that others, or this client, are to be notified of a grant. */
  private void notice(Entry entry) {
    if (isMine(entry) && kind != ResourceKind.BARRIER) {
      admitted.add(entry);
    } else {
      pokes.add(entry.node().text());
    }
  }

  /** Returns the nodes that are made for new grants. */
  List<NodeName> fresh() {
    return fresh;
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

  /** Demands the queue: it is read, and the step decided again. */
  void demandQueue() {
    needsQueue |= queue == null;
  }

  /** Demands the queue if there is something to write and nothing to tell the node by. */
  void demandAnchor() {
    if (changed && base.exists() && !TransactionOps.isAnchored(this)) {
      demandQueue();
    }
  }

  /** As {@link #demandQueue}, if nobody holds it: then only who waits can be in the way. */
  void demandQueueIfFree() {
    if (grants.isEmpty()) {
      demandQueue();
    }
  }

  /** Deletes the node if it is not needed. */
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
    NodeName node = parsed(entry.node().resting(restMillis, who.attempt()));
    fresh.add(node);
    if (!base.missing().contains(entry.node())) {
      deletes.add(entry.node().text());
    }
    replace(entry, entry.resting(node, restMillis, who.card()));
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
    Resized answer = limit.resize(who.client(), request, changed);
    changed |= limit.isChanged();
    return answer;
  }

  /** Makes a node for a claim that is granted at once, and the grant. */
  Entry grantAtOnce(ClaimRequest request) {
    NodeName node = parsed(NodeName.of(false, who.client(), who.session(), who.attempt(), request));
    fresh.add(node);
    return grant(node, List.of(node), request.tokens(), request.leaseMillis(), true);
  }

  // ---------------------------------------------------------------- the rule

  /** Admits the claims that the rule admits now. */
  void admit() {
    if (kind.isExclusive()) {
      admitRun();
    } else if (isFull()) {
      return; // the waiters wait on
    } else if (queue == null) {
      needsQueue |= base.children() >= 0 || !grants.isEmpty() || keeps();
    } else {
      Door door = admission().door(new Listed(queue));
      if (door != null) {
        admit(door, queue);
      }
    }
    settle();
  }

  /** Returns whether a new claim may be granted at once; a barrier then admits its group. */
  boolean mayEnter(ClaimRequest request) {
    List<NodeName> listed = queue;
    if (kind.isExclusive()) {
      return grants.isEmpty() && listed != null && listed.isEmpty();
    }
    Admission.Answer answer =
        admission().of(request.share(), listed == null ? null : new Listed(listed));
    if (listed != null && answer == Admission.Answer.ADMITTED_WITH_GROUP) {
      admit(Door.first(listed.size()), listed);
    }
    needsQueue |= answer == Admission.Answer.NEEDS_QUEUE;
    return answer != Admission.Answer.NEEDS_QUEUE && answer != Admission.Answer.WAITS;
  }

  /** Returns whether no claim can be admitted. */
  boolean isFull() {
    return kind.isExclusive() ? !grants.isEmpty() : admission().isFull();
  }

  private Admission admission() {
    return new Admission(kind, limit.permits(), out());
  }

  /** The queue as the rule asks for it. */
  private record Listed(List<NodeName> nodes) implements Admission.Waiting<RuntimeException> {

    @Override
    public int countLive() {
      return nodes.size();
    }

    @Override
    public boolean hasWaiting(int mostPermits) {
      return nodes.stream().anyMatch(node -> node.permits() <= mostPermits);
    }
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
    ClaimBatch<NodeName> batch = new ClaimBatch<>(NodeName::belongsWith);
    line.forEach(node -> batch.take(node, true));
    List<NodeName> run = batch.claims();
    if (queue == null && !batch.isEnded()) {
      needsQueue = true; // what follows may belong to the run
      return;
    }
    if (run.isEmpty()) {
      return;
    }
    NodeName first = run.get(0);
    long tokens = run.stream().mapToLong(NodeName::tokens).sum();
    notice(grant(first, run, tokens, Math.min(first.leaseMillis(), who.deadlineMillis()), false));
    run.stream().skip(1).forEach(node -> deletes.add(node.text()));
    line.removeAll(run);
    if (queue != null) {
      ahead = new ArrayList<>(queue.subList(0, Math.min(AHEAD, queue.size())));
    }
  }

  /** Admits claims in their order, as the door says. */
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
      grantShare(node, Math.min(node.leaseMillis(), deadline), isBarrier);
    }
  }

  private void grantShare(NodeName node, long leaseMillis, boolean confirmed) {
    notice(grant(node, List.of(node), 1, leaseMillis, confirmed));
  }

  private Entry grant(
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
            run.size() == 1 ? node.label() : "",
            card(node, covered));
    grants.add(entry);
    changed = true;
    return entry;
  }

  /** Forgets a limit that belonged to claims which are all gone. */
  private void settle() {
    if (grants.isEmpty() && queue != null && queue.isEmpty()) {
      limit.forget();
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
  boolean keeps() {
    boolean outlasts = kind != ResourceKind.BARRIER && grants.stream().anyMatch(e -> !e.covered());
    return limit.isResized() || outlasts || last >= ResourceRecord.firstToken(base.zxid() + 1);
  }

  private String keeper() {
    if (!keeps()) {
      return "";
    }
    return base.doc().isKept() ? base.doc().keeper() : NodeName.keep(who.session(), who.attempt());
  }

  /** Returns the record as it will be; new grants have no tokens yet. */
  ResourceRecord doc() {
    List<NodeName> next = grants.isEmpty() ? List.of() : ahead;
    return new ResourceRecord(
        last, limit.permits(), limit.isResized(), keeper(), grants, next, limit.changes());
  }
}
