package io.lockkeeper.testkit.sim;

import io.lockkeeper.Lease;
import io.lockkeeper.LockEvent;
import io.lockkeeper.spi.ResourceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The promises, checked after every step of a run: valid leases share what there is and no more (so
 * that writers and the holders of locks are alone), growing tokens, the store's order of arrival,
 * and progress.
 *
 * <p>What the store was made to forget is excused: after a flush or a forced release, leases with
 * tokens handed out before it may overlap with later ones. Their tokens may not.
 */
final class SimChecker {

  /** How long after the end of its lease a holder that runs may go without hearing of it. */
  private static final long NOTICE_NANOS = 100_000_000;

  /** A lease that a caller has and has not given back. */
  private static final class Held {
    final SimActor actor;
    final SimWish wish;
    final Lease lease;
    long invalidSinceNanos = Long.MAX_VALUE;

    Held(SimActor actor, SimWish wish, Lease lease) {
      this.actor = actor;
      this.wish = wish;
      this.lease = lease;
    }
  }

  private final SimWorld world;
  private final boolean mayRest;
  private final Map<String, List<Held>> held = new HashMap<>();

  private final Map<String, SimResource> resources = new HashMap<>();

  /** The largest token that a caller has seen, per resource. */
  private final Map<String, Long> seenTokens = new HashMap<>();

  /** The largest token that the store has reserved, per resource. */
  private final Map<String, Long> reservedTokens = new HashMap<>();

  private final Map<String, Long> arrivals = new HashMap<>();

  /** The arrivals in the events of acquisitions, by token, per resource. */
  private final Map<String, NavigableMap<Long, Long>> reportedArrivals = new HashMap<>();

  /** An event out of order; null if there was none. The client catches what a listener throws. */
  private @Nullable SimViolation heardWrong;

  /** Up to which token leases are excused, per resource. */
  private final Map<String, Long> excusedTokens = new HashMap<>();

  /** Until when locks are known to rest. */
  private final Map<String, Long> restUntil = new HashMap<>();

  private long progressNanos;
  private int acquired;
  private int lost;
  private int refused;

  /**
   * Creates it.
   *
   * @param mayRest whether nothing but time ends the rest of a lock: no force and no loss of memory
   */
  SimChecker(SimWorld world, List<SimResource> all, boolean mayRest) {
    this.world = world;
    this.mayRest = mayRest;
    all.forEach(resource -> resources.put(resource.name(), resource));
  }

  int acquisitions() {
    return acquired;
  }

  int losses() {
    return lost;
  }

  int refusals() {
    return refused;
  }

  long progressNanos() {
    return progressNanos;
  }

  // ------------------------------------------------------------- what happened

  void granted(SimGrant grant) {
    ResourceId id = grant.resource();
    String resource = id.name();
    long firstToken = grant.firstToken();
    if (firstToken <= seenTokens.getOrDefault(resource, 0L)) {
      throw new SimViolation(
          "the store gave token "
              + firstToken
              + " of "
              + resource
              + " after "
              + seenTokens.get(resource)
              + " had been used");
    }
    Long reserved = reservedTokens.put(resource, grant.lastToken());
    SimResource what = resources.get(resource);
    if (what == null || !what.id().equals(id)) {
      throw new SimViolation("the store knows of " + id);
    }
    if (!what.kind().isExclusive() && reserved != null && reserved >= firstToken) {
      throw new SimViolation("token " + firstToken + " of " + resource + " after " + reserved);
    }
    if (!what.keepsOrder()) {
      return;
    }
    for (long arrival : grant.arrivals()) {
      Long before = arrivals.put(resource, arrival);
      if (before != null && before >= arrival) {
        throw new SimViolation(
            resource + ": arrival " + arrival + " was admitted after arrival " + before);
      }
    }
  }

  /** Checks that arrivals grow with tokens. Events may come late, and in another order. */
  void heard(LockEvent.Acquired event) {
    SimResource what = resources.get(event.name());
    if (what == null || !what.keepsOrder() || event.arrival().isEmpty()) {
      return;
    }
    long arrival = event.arrival().getAsLong();
    NavigableMap<Long, Long> heard =
        reportedArrivals.computeIfAbsent(event.name(), name -> new TreeMap<>());
    Map.Entry<Long, Long> before = heard.lowerEntry(event.token());
    Map.Entry<Long, Long> after = heard.higherEntry(event.token());
    heard.put(event.token(), arrival);
    if ((before != null && before.getValue() >= arrival)
        || (after != null && after.getValue() <= arrival)) {
      heardWrong =
          new SimViolation(event + " is out of order: before it " + before + ", after it " + after);
    }
  }

  void acquired(SimActor actor, SimWish wish, Lease lease) {
    progressNanos = world.nowNanos();
    acquired++;
    world.trace(() -> actor.process() + " got " + lease + " valid for " + lease.remaining());
    held.computeIfAbsent(lease.name(), name -> new ArrayList<>()).add(new Held(actor, wish, lease));
    if (lease.isValid() && world.nowNanos() < restUntil.getOrDefault(lease.name(), 0L)) {
      throw new SimViolation("a lock that rests was granted: " + lease);
    }
    long before = seenTokens.getOrDefault(lease.name(), 0L);
    if (lease.isValid() && wish.isForAlone() && lease.token() <= before && !isExcused(lease)) {
      throw new SimViolation("token " + lease.token() + " of " + lease.name() + " after " + before);
    }
    seenTokens.put(lease.name(), Math.max(before, lease.token()));
  }

  void released(Lease lease) {
    progressNanos = world.nowNanos();
    List<Held> leases = held.get(lease.name());
    if (leases != null) {
      leases.removeIf(entry -> entry.lease == lease);
    }
  }

  long nowNanos() {
    return world.nowNanos();
  }

  /** Records that a lock stays closed until then, and that the store has said so. */
  void rests(Lease lease, long untilNanos) {
    if (mayRest) {
      restUntil.merge(lease.name(), untilNanos, Math::max);
    }
  }

  void confirmed() {
    progressNanos = world.nowNanos();
  }

  void lost() {
    lost++;
  }

  void refused() {
    progressNanos = world.nowNanos();
    refused++;
  }

  void crashed(SimProcess process) {
    held.values().forEach(leases -> leases.removeIf(entry -> entry.actor.process() == process));
  }

  void excuse(String resource) {
    excusedTokens.put(resource, reservedTokens.getOrDefault(resource, 0L));
  }

  /** Excuses all leases of a resource. */
  void excuseAll(String resource) {
    excusedTokens.put(resource, Long.MAX_VALUE);
  }

  private boolean isExcused(Lease lease) {
    return lease.token() <= excusedTokens.getOrDefault(lease.name(), 0L);
  }

  // ------------------------------------------------------------- what must hold

  void check() {
    if (heardWrong != null) {
      throw heardWrong;
    }
    held.values().forEach(this::check);
  }

  private void check(List<Held> leases) {
    long out = 0;
    for (Held entry : leases) {
      if (!entry.lease.isValid()) {
        checkNotice(entry);
      } else if (!isExcused(entry.lease)) {
        out += entry.wish.weight(entry.lease);
        if (out > entry.wish.resource().limit()) {
          throw new SimViolation(
              "too much of " + entry.wish.resource() + " is out: " + valid(leases));
        }
      }
    }
  }

  private static List<Lease> valid(List<Held> leases) {
    return leases.stream().map(entry -> entry.lease).filter(Lease::isValid).toList();
  }

  private void checkNotice(Held entry) {
    long now = world.nowNanos();
    entry.invalidSinceNanos = Math.min(entry.invalidSinceNanos, now);
    long runningSince = Math.max(entry.invalidSinceNanos, entry.actor.process().deafUntilNanos());
    long noticeNanos = NOTICE_NANOS + entry.actor.process().timersLateNanos();
    if (!entry.actor.knowsLoss() && now - runningSince > noticeNanos) {
      throw new SimViolation("the holder never heard of losing " + entry.lease);
    }
  }
}
