package io.lockkeeper.testkit.sim;

import io.lockkeeper.Lease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The promises, checked after every step of a run: exclusion among valid leases, growing tokens,
 * the store's order of arrival, and progress.
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
    final Lease lease;
    long invalidSinceNanos = Long.MAX_VALUE;

    Held(SimActor actor, Lease lease) {
      this.actor = actor;
      this.lease = lease;
    }
  }

  private final SimWorld world;
  private final Map<String, List<Held>> held = new HashMap<>();

  /** The largest token that a caller has seen, per resource. */
  private final Map<String, Long> seenTokens = new HashMap<>();

  /** The largest token that the store has reserved, per resource. */
  private final Map<String, Long> reservedTokens = new HashMap<>();

  private final Map<String, Long> arrivals = new HashMap<>();

  /** Up to which token leases are excused, per resource. */
  private final Map<String, Long> excusedTokens = new HashMap<>();

  private long progressNanos;
  private int acquired;
  private int lost;
  private int refused;

  SimChecker(SimWorld world) {
    this.world = world;
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

  void granted(String resource, List<Long> claimArrivals, long firstToken, long lastToken) {
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
    reservedTokens.merge(resource, lastToken, Math::max);
    for (long arrival : claimArrivals) {
      Long before = arrivals.put(resource, arrival);
      if (before != null && before >= arrival) {
        throw new SimViolation(
            resource + ": arrival " + arrival + " was admitted after arrival " + before);
      }
    }
  }

  void acquired(SimActor actor, Lease lease) {
    progressNanos = world.nowNanos();
    acquired++;
    world.trace(() -> actor.process() + " got " + lease + " valid for " + lease.remaining());
    held.computeIfAbsent(lease.name(), name -> new ArrayList<>()).add(new Held(actor, lease));
    long before = seenTokens.getOrDefault(lease.name(), 0L);
    if (lease.isValid() && lease.token() <= before && !isExcused(lease)) {
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

  private boolean isExcused(Lease lease) {
    return lease.token() <= excusedTokens.getOrDefault(lease.name(), 0L);
  }

  // ------------------------------------------------------------- what must hold

  void check() {
    for (List<Held> leases : held.values()) {
      Lease valid = null;
      for (Held entry : leases) {
        if (!entry.lease.isValid()) {
          checkNotice(entry);
        } else if (!isExcused(entry.lease)) {
          if (valid != null) {
            throw new SimViolation("two valid leases: " + valid + " and " + entry.lease);
          }
          valid = entry.lease;
        }
      }
    }
  }

  private void checkNotice(Held entry) {
    long now = world.nowNanos();
    entry.invalidSinceNanos = Math.min(entry.invalidSinceNanos, now);
    long runningSince = Math.max(entry.invalidSinceNanos, entry.actor.process().pausedUntilNanos());
    if (!entry.actor.knowsLoss() && now - runningSince > NOTICE_NANOS) {
      throw new SimViolation("the holder never heard of losing " + entry.lease);
    }
  }
}
