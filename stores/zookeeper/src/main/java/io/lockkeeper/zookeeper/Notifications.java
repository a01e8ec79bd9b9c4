package io.lockkeeper.zookeeper;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * The notifications of this client. Each of its claims' nodes is a letter box with one watch on it:
 * who lets the claim in writes into it, and so does who waits for what it holds; who takes a grant
 * away deletes it.
 */
final class Notifications implements Connection.Listener {

  /** The text of a letter box when somebody waits for what its claim holds. */
  static final byte[] CONTENDED = {'w'};

  /** How long a grant may go unwatched: who releases it sooner is spared the request. */
  private static final long MOMENT_NANOS = 5_000_000;

  private record Fresh(ResourceId id, long claim, String node, long dueNanos) {}

  private final Connection connection;
  private final Paths paths;
  private final StoreContext context;
  private final CasLoop steps;
  private final OwnClaims mine;
  private final RecentContention contention;
  private final Grants grants;
  private final EventGrants eventGrants;
  private volatile NotificationListener listener = NotificationListener.silent();

  /** Claims that have been admitted and are not watched yet, oldest first. */
  private final Queue<Fresh> fresh = new ConcurrentLinkedQueue<>();

  /** Whether somebody looks after the fresh ones. */
  private final AtomicBoolean watching = new AtomicBoolean();

  Notifications(
      Connection connection,
      Paths paths,
      StoreContext context,
      CasLoop steps,
      OwnClaims mine,
      StepQueues turns,
      RecentContention contention) {
    this.connection = connection;
    this.paths = paths;
    this.context = context;
    this.steps = steps;
    this.mine = mine;
    this.contention = contention;
    this.grants = new Grants(steps, mine);
    this.eventGrants = new EventGrants(context, steps, mine, turns, grants, this, contention);
    mine.whenSomeLeave(this::watchFirst);
    steps.whenAdmitted(this::admitted);
  }

  void listen(NotificationListener hears) {
    listener = hears;
  }

  NotificationListener listener() {
    return listener;
  }

  Grants grants() {
    return grants;
  }

  /** Watches a claim that has come into the queue, as far as anything can happen to it there. */
  void watchQueued(ResourceId id, long claim, String node) {
    if (id.isExclusive()) {
      watchFirst(id);
    } else {
      watch(id, claim, node);
    }
  }

  /**
   * Watches the first of this client's claims that wait for a lock, unless it does so already. None
   * of those behind it can be admitted before that one has left the queue.
   */
  private void watchFirst(ResourceId id) {
    if (id.isExclusive()) {
      Map.Entry<Long, OwnClaims.Place> first = mine.firstUnwatched(id);
      if (first != null) {
        watch(id, first.getKey(), first.getValue().node().text());
      }
    }
  }

  /** Watches the node of a claim, and hears what was written into it before. */
  void watch(ResourceId id, long claim, String node) {
    String path = paths.resource(id) + "/" + node;
    LetterBox box = new LetterBox(id, claim, node);
    ZkFailures.unheard(
        connection
            .exists(path, box)
            .whenComplete(
                (stat, failure) -> {
                  if (failure == null && stat.getVersion() > 0) {
                    hear(id, claim);
                  } else if (failure == null) {
                    box.isEmpty = true;
                  } else if (ZkFailures.isMissing(failure)) {
                    hearOfEnd(id, claim, node);
                  }
                }));
  }

  /** Watches the node of a claim that has been admitted, if it is held for more than a moment. */
  void watchIfKept(ResourceId id, long claim, String node) {
    fresh.add(new Fresh(id, claim, node, steps.now() + MOMENT_NANOS));
    watchLater();
  }

  private void watchLater() {
    if (!fresh.isEmpty() && watching.compareAndSet(false, true)) {
      boolean isPlanned = false;
      try {
        connection.later(this::watchKept, MOMENT_NANOS);
        isPlanned = true;
      } finally {
        if (!isPlanned) {
          watching.set(false); // the next one plans it
        }
      }
    }
  }

  private void watchKept() {
    try {
      watchThoseDue(steps.now());
    } finally {
      watching.set(false);
      watchLater();
    }
  }

  private void watchThoseDue(long now) {
    Fresh next = fresh.peek();
    while (next != null && next.dueNanos - now <= 0) {
      fresh.poll();
      if (mine.held(next.id, next.claim) != null) {
        openLetterBox(next.id, next.claim, next.node);
      } else if (mine.place(next.id, next.claim) != null) {
        watch(next.id, next.claim, next.node); // its admission is still to be notified
      }
      next = fresh.peek();
    }
  }

  /** Reads what was written into the letter box of a holder, and watches it. */
  private void openLetterBox(ResourceId id, long claim, String node) {
    ZkFailures.unheard(
        connection
            .read(paths.resource(id) + "/" + node, new LetterBox(id, claim, node))
            .whenComplete(
                (read, failure) -> {
                  boolean holds = mine.held(id, claim) != null;
                  if (holds && failure == null && isContended(read)) {
                    contended(id);
                  } else if (holds && ZkFailures.isMissing(failure)) {
                    ended(id, claim, node);
                  }
                }));
  }

  /** The watch on the node of a claim. */
  private final class LetterBox implements Watcher {

    private final ResourceId id;
    private final long claim;
    private final String node;

    /** Whether nothing had been written into it when the watch began: then that is its grant. */
    private volatile boolean isEmpty;

    LetterBox(ResourceId id, long claim, String node) {
      this.id = id;
      this.claim = claim;
      this.node = node;
    }

    @Override
    public void process(WatchedEvent event) {
      if (event.getType() == EventType.NodeDataChanged) {
        opened(this, event.getZxid());
      } else if (event.getType() == EventType.NodeDeleted) {
        ended(id, claim, node);
      }
    }
  }

  private void opened(LetterBox box, long zxid) {
    ResourceId id = box.id;
    long claim = box.claim;
    if (id.kind() == ResourceKind.BARRIER) {
      passed(id, claim);
      return;
    }
    if (mine.held(id, claim) == null) {
      if (!box.isEmpty || !eventGrants.tell(id, claim, box.node, zxid)) {
        hear(id, claim);
      }
      watchIfKept(id, claim, box.node);
      return;
    }
    ZkFailures.unheard(
        connection
            .read(paths.resource(id) + "/" + box.node, new LetterBox(id, claim, box.node))
            .whenComplete(
                (read, failure) -> {
                  if (failure == null && isContended(read) && mine.held(id, claim) != null) {
                    contended(id);
                  } else {
                    hear(id, claim);
                  }
                }));
  }

  /** A member of a barrier has been admitted: nothing else is written into its letter box. */
  private void passed(ResourceId id, long claim) {
    OwnClaims.Place place = mine.place(id, claim);
    if (place != null) {
      listener.granted(id, grants.news(id, claim, place, steps.now()));
    }
  }

  /** Learns who waits, so that the release can admit the next without asking, and notifies. */
  private void contended(ResourceId id) {
    contention.seen(id, steps.now());
    steps.learnQueue(id);
    listener.contended(id);
  }

  private static boolean isContended(Connection.Node letterBox) {
    return Arrays.equals(letterBox.data(), CONTENDED);
  }

  private void ended(ResourceId id, long claim, String node) {
    if (steps.isLeaving(paths.resource(id) + "/" + node)) {
      return;
    }
    OwnClaims.Held held = mine.held(id, claim);
    if (held != null && held.node().text().equals(node)) {
      mine.gone(id, claim);
      listener.revoked(id);
    } else {
      hearOfEnd(id, claim, node);
    }
  }

  /**
   * Looks what became of a claim whose node is gone. It may have joined a batch. If not, it was
   * passed over: admitted, and not taken in time. Then it has no place any more, and the next poll
   * says so, also while others hold what it waits for.
   */
  private void hearOfEnd(ResourceId id, long claim, String node) {
    ZkFailures.unheard(
        steps.run(
            id,
            CasLoop.Want.RECORD,
            draft -> {
              if (draft.mine(claim) == null) {
                mine.passedOver(id, claim, node);
              }
              return decideHearing(draft, claim);
            }));
  }

  /**
   * Looks whether a claim was admitted, unless that has been notified by then. Others that wait may
   * have been admitted with it.
   */
  private void hear(ResourceId id, long claim) {
    boolean isNew = mine.held(id, claim) == null;
    ZkFailures.unheard(
        steps.runUnless(
            () -> isNew && mine.held(id, claim) != null,
            id,
            CasLoop.Want.RECORD,
            draft -> decideHearing(draft, claim)));
  }

  private Function<CasLoop.Done, Boolean> decideHearing(ResourceTransaction draft, long claim) {
    List<Consumer<CasLoop.Done>> news = new ArrayList<>();
    for (Entry entry : List.copyOf(draft.grants)) {
      boolean isAwaited =
          entry.claims().contains(claim) || mine.place(draft.id, entry.grant()) != null;
      if (draft.isMine(entry) && isAwaited && !mine.isHeld(draft.id, entry)) {
        news.add(decideHearing(draft, entry));
      }
    }
    return done -> {
      news.forEach(tell -> tell.accept(done));
      return !news.isEmpty();
    };
  }

  /** Counts the lease of a grant from now, and tells it. */
  private Consumer<CasLoop.Done> decideHearing(ResourceTransaction draft, Entry entry) {
    OwnClaims.Place place = mine.place(draft.id, entry.grant());
    if (place != null
        && place.node().equals(entry.node())
        && place.isRecent(entry.leaseMillis(), steps.now())) {
      return toldUnwritten(draft.id, entry, place.sentNanos());
    }
    draft.stamp(entry, entry.leaseMillis(), entry.confirmed());
    return done -> tell(draft.id, entry.grant(), done);
  }

  /**
   * Tells a grant without a stamp of its own. A claim cannot have been admitted before it was asked
   * for; who has asked only lately counts from there, and is spared a writing that would contend
   * with the others'.
   */
  private Consumer<CasLoop.Done> toldUnwritten(ResourceId id, Entry entry, long sinceNanos) {
    return done -> {
      Grant grant = grants.since(id, entry, done, sinceNanos);
      mine.remember(id, done.after());
      listener.granted(id, grant);
    };
  }

  /** Tells a grant that this client has written itself, unless the answer to a question does. */
  private void admitted(CasLoop.Admitted admitted) {
    ResourceId id = admitted.id();
    if (mine.held(id, admitted.grant()) == null) {
      tell(id, admitted.grant(), admitted.done());
    }
  }

  private void tell(ResourceId id, long grantNumber, CasLoop.Done done) {
    Entry after = done.find(context.clientId(), grantNumber);
    if (after != null) {
      listener.granted(id, grants.since(id, after, done, done.sentNanos()));
    }
  }

  @Override
  public void sessionLost() {
    mine.clear().forEach(id -> listener.revoked(id));
  }

  /** Makes the engine renew at once, which writes the grants anew. */
  @Override
  public void sessionShortened() {
    mine.known().forEach(id -> listener.revoked(id));
  }

  @Override
  public void reconnected() {
    listener.reconnected();
  }
}
