package io.lockkeeper.engine.state;

import io.lockkeeper.engine.policy.Instants;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the grants of one resource that this client has, their holds, and when something is due
 * about them.
 *
 * <p>Not thread-safe: guarded by the coordinator's mutex, except {@link #holdOf} and {@link
 * #isHeld}.
 */
final class GrantTable {

  /** Longer than any answer or notification is under way. */
  private static final long LATE_NEWS_NANOS = 60_000_000_000L;

  private final boolean isLock;
  private final Map<Long, Granted> grants = new HashMap<>();

  /** The grant that was found last: a lock's is found without a search. */
  private @Nullable Granted latest;

  /** The hold of a lock. Volatile: read without the mutex by the thread that may own it. */
  private volatile @Nullable Hold lockHold;

  /**
   * The holds of threads of anything else; read without the mutex by the thread that asks for its
   * own.
   */
  private final ConcurrentHashMap<Thread, Hold> owned = new ConcurrentHashMap<>();

  /**
   * Until when to remember each grant that was left to end at the store, the oldest first. A late
   * answer or notification must not release it as nobody's.
   */
  private final Map<Long, Long> leftToEnd = new LinkedHashMap<>();

  /** A lower bound for when something is due. */
  private long dueNanos = Instants.NEVER;

  /**
   * Creates an empty one.
   *
   * @param isLock whether there is one grant at most
   */
  GrantTable(boolean isLock) {
    this.isLock = isLock;
  }

  // ---------------------------------------------------------------- grants

  void add(Granted granted) {
    grants.put(granted.grant.number, granted);
    latest = granted;
    plan(granted);
  }

  /** Takes a grant out that is over. */
  void remove(CurrentGrant over) {
    grants.remove(over.number);
    latest = null;
    if (isEmpty()) {
      dueNanos = Instants.NEVER;
    }
  }

  /** Returns whether there is a grant of this number. */
  boolean has(long number) {
    return grants.containsKey(number);
  }

  /** Returns the grant of this number, or null. */
  @Nullable Granted find(long number) {
    return grants.get(number);
  }

  /** Returns what is kept of a grant, or null if it is over. */
  @Nullable Granted find(CurrentGrant grant) {
    Granted last = latest;
    if (last != null && last.grant == grant) {
      return last;
    }
    Granted found = grants.get(grant.number);
    if (found == null || found.grant != grant) {
      return null;
    }
    latest = found;
    return found;
  }

  /** Returns a copy of the grants. */
  List<Granted> all() {
    return List.copyOf(grants.values());
  }

  int size() {
    return grants.size();
  }

  /** Returns whether there is no grant, nor one that was left to end. */
  boolean isEmpty() {
    return grants.isEmpty() && leftToEnd.isEmpty();
  }

  /** Returns whether a shared claim is granted and still to be served. */
  boolean hasSharedClaim() {
    for (Granted granted : grants.values()) {
      if (granted.hasSharedClaim()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the claim of this number that is granted and still to be served, or null. */
  @Nullable Claim unserved(long number) {
    for (Granted granted : grants.values()) {
      Claim claim = granted.unserved(number);
      if (claim != null) {
        return claim;
      }
    }
    return null;
  }

  // ---------------------------------------------------------------- holds

  void hold(Granted granted, Hold hold) {
    granted.hold = hold;
    if (isLock) {
      lockHold = hold;
    } else if (hold.owner != null) {
      owned.put(hold.owner, hold);
    }
    plan(granted);
  }

  void forget(Hold hold) {
    Granted granted = find(hold.grant);
    if (granted != null && granted.hold == hold) {
      granted.hold = null;
    }
    if (isLock) {
      lockHold = null;
    } else if (hold.owner != null) {
      owned.remove(hold.owner, hold);
    }
  }

  /** Returns what a thread holds, or null. */
  @Nullable Hold holdOf(Thread thread) {
    if (!isLock) {
      return owned.get(thread);
    }
    Hold hold = lockHold;
    return hold != null && hold.owner == thread ? hold : null;
  }

  /** Returns whether a lock, or a thread's hold of anything else, is held. */
  boolean isHeld(long now) {
    Hold hold = lockHold;
    if (isLock) {
      return hold != null && hold.isValid(now);
    }
    for (Hold each : owned.values()) {
      if (each.isValid(now)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the hold of a lock, or null. */
  @Nullable Hold lockHold() {
    return lockHold;
  }

  /** Returns all holds. */
  List<Hold> holds() {
    List<Hold> holds = new ArrayList<>();
    for (Granted granted : grants.values()) {
      if (granted.hold != null) {
        holds.add(granted.hold);
      }
    }
    return holds;
  }

  // ---------------------------------------------------------------- left to end

  /** Remembers a grant that was taken out and is left to end at the store. */
  void leaveToEnd(CurrentGrant left, long now) {
    leftToEnd.put(left.number, now + LATE_NEWS_NANOS);
    dueNanos = Math.min(dueNanos, now + LATE_NEWS_NANOS);
  }

  boolean isLeftToEnd(long number) {
    return leftToEnd.containsKey(number);
  }

  /** Forgets what was left to end long ago; returns whether there was any. */
  boolean forgetWhatIsLeft(long now) {
    boolean forgot = false;
    Iterator<Long> oldestFirst = leftToEnd.values().iterator();
    while (oldestFirst.hasNext()) {
      long untilNanos = oldestFirst.next();
      if (untilNanos > now) {
        dueNanos = Math.min(dueNanos, untilNanos);
        return forgot;
      }
      oldestFirst.remove();
      forgot = true;
    }
    return forgot;
  }

  // ---------------------------------------------------------------- time

  /** Plans the next look at a grant. */
  void plan(Granted granted) {
    dueNanos = Math.min(dueNanos, granted.dueNanos());
  }

  /** Plans the next look at a grant, unless it is over. */
  void plan(CurrentGrant grant) {
    Granted granted = find(grant);
    if (granted != null) {
      plan(granted);
    }
  }

  /** Returns when something is due, or an earlier time. */
  long dueNanos() {
    return dueNanos;
  }

  /** Begins to look at all grants, each of which is planned again then. */
  void beginTick() {
    dueNanos = Instants.NEVER;
  }
}
