package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.ResourceId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * This client's knowledge of its own claims in its present session: which wait, which hold, and
 * since when. All of it is also at the store; here is what only the writer can know, namely when it
 * sent what it wrote.
 */
final class OwnClaims {

  /**
   * A grant that this client has written, or written anew.
   *
   * @param stamp the stamp that it wrote
   * @param sentNanos when it sent that
   */
  record Held(NodeName node, int stamp, long sentNanos, long leaseMillis) {
    long endNanos() {
      return sentNanos + leaseMillis * 1_000_000;
    }
  }

  /**
   * A claim in the queue.
   *
   * @param arrival its place in the order of arrival, see {@link #arrival}
   * @param sentNanos when its node was asked for; {@link #UNKNOWN} if the node was found
   */
  record Place(NodeName node, long arrival, long sentNanos) {

    static final long UNKNOWN = Long.MIN_VALUE;

    /** How many bits of an arrival tell claims of one transaction from each other. */
    private static final int INDEX_BITS = 6;

    /**
     * Returns a place in the order of arrival.
     *
     * @param czxid the transaction that brought the claim into the queue
     * @param index how many other claims it had brought before
     */
    static long arrival(long czxid, int index) {
      return (czxid << INDEX_BITS) + index;
    }

    /** Returns the transaction that brought the claim into the queue. */
    long czxid() {
      return arrival >> INDEX_BITS;
    }

    /** Returns whether its node was found, so that its arrival may be only a lower bound. */
    boolean isFound() {
      return sentNanos == UNKNOWN;
    }

    /**
     * Returns whether a grant of this claim that is heard of now has nearly all of its lease before
     * it, although it may have been written as soon as the claim was there.
     */
    boolean isRecent(long leaseMillis, long nowNanos) {
      return !isFound() && nowNanos - sentNanos < leaseMillis * 1_000_000 / 8;
    }
  }

  private static final class Resource {
    /** In the order of arrival, as far as their answers were not lost. */
    final Map<Long, Place> queued = new LinkedHashMap<>();

    final Map<Long, Held> held = new HashMap<>();
    final Set<Long> doubtful = new HashSet<>();
    @Nullable Snapshot latest;
    @Nullable Place watched;

    boolean isEmpty() {
      return queued.isEmpty() && held.isEmpty() && doubtful.isEmpty();
    }
  }

  private final ReentrantLock mutex = new ReentrantLock();
  private final Map<ResourceId, Resource> resources = new HashMap<>();
  private volatile Consumer<ResourceId> hearer = id -> {};

  /** Whether a record was read whose tokens are ahead of the transactions. Never false again. */
  private volatile boolean tokensRanAhead;

  /**
   * Sets who hears when claims have left the queue of a resource. Called once, at the beginning.
   */
  void whenSomeLeave(Consumer<ResourceId> hears) {
    hearer = hears;
  }

  /** Notes that a claim waits. */
  void queued(ResourceId id, long claim, Place place) {
    with(id, mine -> mine.queued.put(claim, place));
  }

  /** Notes when the node of a claim that was found was made; false if it waits there no longer. */
  boolean located(ResourceId id, long claim, Place place, Stat stat) {
    Place exact = new Place(place.node(), Place.arrival(stat.getCzxid(), 0), place.sentNanos());
    return Boolean.TRUE.equals(ask(id, mine -> mine.queued.replace(claim, place, exact)));
  }

  /** Notes that a claim does not wait at this node any more. */
  void passedOver(ResourceId id, long claim, String node) {
    ask(
        id,
        mine -> {
          Place place = mine.queued.get(claim);
          if (place != null && place.node().text().equals(node)) {
            mine.queued.remove(claim);
          }
          return null;
        });
    hearer.accept(id);
  }

  /** Returns the first claim that waits, once: who has it is to watch it. */
  Map.@Nullable Entry<Long, Place> firstUnwatched(ResourceId id) {
    return ask(
        id,
        mine -> {
          for (Map.Entry<Long, Place> first : mine.queued.entrySet()) {
            boolean isNew = !first.getValue().equals(mine.watched);
            mine.watched = first.getValue();
            return isNew ? Map.entry(first.getKey(), first.getValue()) : null;
          }
          return null;
        });
  }

  @Nullable Place place(ResourceId id, long claim) {
    return ask(id, mine -> mine.queued.get(claim));
  }

  int queuedCount(ResourceId id) {
    Integer count = ask(id, mine -> mine.queued.size());
    return count == null ? 0 : count;
  }

  /** Notes that a grant was written by this client. */
  void held(ResourceId id, Entry entry, long sentNanos) {
    Held held = new Held(entry.node(), entry.stamp(), sentNanos, entry.leaseMillis());
    held(id, entry.grant(), entry.claims(), held);
  }

  /** Notes that a grant of one claim was heard of. */
  void held(ResourceId id, long claim, Held held) {
    held(id, claim, List.of(claim), held);
  }

  private void held(ResourceId id, long grant, List<Long> claims, Held held) {
    with(
        id,
        mine -> {
          mine.held.put(grant, held);
          mine.queued.keySet().removeAll(claims);
          mine.doubtful.removeAll(claims);
          return null;
        });
    hearer.accept(id);
  }

  @Nullable Held held(ResourceId id, long grant) {
    return ask(id, mine -> mine.held.get(grant));
  }

  /** Returns whether this client has told a grant, as it is now. */
  boolean isHeld(ResourceId id, Entry entry) {
    Held held = held(id, entry.grant());
    return held != null && held.node().equals(entry.node()) && held.stamp() == entry.stamp();
  }

  /** Notes that a claim is neither waiting nor granted, and returns whether it was granted. */
  boolean gone(ResourceId id, long claim) {
    Boolean was =
        ask(
            id,
            mine -> {
              mine.queued.remove(claim);
              mine.doubtful.remove(claim);
              return mine.held.remove(claim) != null;
            });
    hearer.accept(id);
    return was != null && was;
  }

  /** Returns the name of a node of this client's that should be there, or null. */
  @Nullable String anyNode(ResourceId id) {
    return ask(
        id,
        mine -> {
          for (Held held : mine.held.values()) {
            return held.node().text();
          }
          for (Place place : mine.queued.values()) {
            return place.node().text();
          }
          return null;
        });
  }

  /** Returns the place of a claim if it is the only one that waits, or may; else null. */
  @Nullable Place onlyPlace(ResourceId id, long claim) {
    return ask(
        id,
        mine -> mine.queued.size() == 1 && mine.doubtful.isEmpty() ? mine.queued.get(claim) : null);
  }

  /** Notes that tokens have run ahead of the transactions, somewhere: then no event tells them. */
  void tokensRunAhead() {
    tokensRanAhead = true;
  }

  boolean haveTokensRunAhead() {
    return tokensRanAhead;
  }

  /** Notes that it is not known what became of a claim. */
  void doubt(ResourceId id, long claim) {
    with(id, mine -> mine.doubtful.add(claim));
  }

  boolean isDoubtful(ResourceId id, long claim) {
    Boolean is = ask(id, mine -> mine.doubtful.contains(claim));
    return is != null && is;
  }

  boolean isKnown(ResourceId id) {
    Boolean is = ask(id, mine -> true);
    return is != null;
  }

  /** Keeps a record that cannot be replaced by another node's as long as this client holds it. */
  void remember(ResourceId id, Snapshot snapshot) {
    ask(
        id,
        mine -> {
          mine.latest = mine.held.isEmpty() || !snapshot.exists() ? null : snapshot;
          return null;
        });
  }

  /** Keeps who waits beside the record that is kept, if they were read with that very record. */
  void learn(ResourceId id, Snapshot whole) {
    ask(
        id,
        mine -> {
          Snapshot latest = mine.latest;
          if (latest != null
              && latest.version() == whole.version()
              && latest.zxid() == whole.zxid()) {
            mine.latest = whole;
          }
          return null;
        });
  }

  @Nullable Snapshot remembered(ResourceId id) {
    return ask(id, mine -> mine.latest);
  }

  void forgetRecord(ResourceId id) {
    ask(
        id,
        mine -> {
          mine.latest = null;
          return null;
        });
  }

  /** Forgets everything and returns the resources that it concerned. */
  Set<ResourceId> clear() {
    mutex.lock();
    try {
      Set<ResourceId> all = new HashSet<>(resources.keySet());
      resources.clear();
      return all;
    } finally {
      mutex.unlock();
    }
  }

  /** Returns the resources of which this client has claims. */
  Set<ResourceId> known() {
    mutex.lock();
    try {
      return new HashSet<>(resources.keySet());
    } finally {
      mutex.unlock();
    }
  }

  private void with(ResourceId id, Question<?> question) {
    mutex.lock();
    try {
      question.ask(resources.computeIfAbsent(id, name -> new Resource()));
    } finally {
      mutex.unlock();
    }
  }

  private <T> @Nullable T ask(ResourceId id, Question<T> question) {
    mutex.lock();
    try {
      Resource mine = resources.get(id);
      if (mine == null) {
        return null;
      }
      T answer = question.ask(mine);
      if (mine.isEmpty()) {
        resources.remove(id);
      }
      return answer;
    } finally {
      mutex.unlock();
    }
  }

  @FunctionalInterface
  private interface Question<T> {
    @Nullable T ask(Resource mine);
  }
}
