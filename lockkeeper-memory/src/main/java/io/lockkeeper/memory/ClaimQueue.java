package io.lockkeeper.memory;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Inspection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The waiting claims of one resource in order of arrival, and when each client was last heard of.
 */
final class ClaimQueue {

  /** A claim in the queue. */
  record Waiting(
      ClaimId id, ClaimRequest request, long arrival, long claimDeadlineMicros, long sinceMicros) {}

  /** What becomes of a claim at the door. */
  enum Verdict {
    ENTER,
    WAIT,
    STOP
  }

  /** A client with at least one claim here. */
  private static final class Presence {
    int claims;
    long deadMicros;
  }

  private final Map<ClaimId, Waiting> queue = new LinkedHashMap<>();
  private final Map<String, Presence> presences = new HashMap<>();

  boolean isEmpty() {
    return queue.isEmpty();
  }

  @Nullable Waiting get(ClaimId id) {
    return queue.get(id);
  }

  void add(Waiting waiting, long deadMicros) {
    queue.put(waiting.id(), waiting);
    Presence presence = presences.computeIfAbsent(waiting.id().clientId(), id -> new Presence());
    presence.claims++;
    presence.deadMicros = deadMicros;
  }

  /** Takes a claim out and returns whether it was there. */
  boolean remove(ClaimId id) {
    if (queue.remove(id) == null) {
      return false;
    }
    left(id);
    return true;
  }

  /** Puts off the death of a client's claims, if it has any. */
  void heard(String clientId, long deadMicros) {
    Presence presence = presences.get(clientId);
    if (presence != null) {
      presence.deadMicros = deadMicros;
    }
  }

  /** Returns whether live claims of other clients than this one wait. */
  boolean hasOthers(String clientId, long nowMicros) {
    return presences.entrySet().stream()
        .anyMatch(e -> !e.getKey().equals(clientId) && nowMicros < e.getValue().deadMicros);
  }

  /** Returns the first live claim, or null. */
  @Nullable Waiting firstLive(long nowMicros) {
    return firstLive(nowMicros, waiting -> true);
  }

  /** Returns the first live claim of which this is true, or null. */
  @Nullable Waiting firstLive(long nowMicros, Predicate<Waiting> rule) {
    for (Waiting waiting : queue.values()) {
      if (isLive(waiting, nowMicros) && rule.test(waiting)) {
        return waiting;
      }
    }
    return null;
  }

  /**
   * Takes out the first live claim and the claims of its client directly behind it with the same
   * lease; drops the dead before it.
   */
  List<Waiting> takeRun(long nowMicros, int max) {
    List<Waiting> run = new ArrayList<>();
    Iterator<Waiting> waitings = queue.values().iterator();
    while (waitings.hasNext() && run.size() < max) {
      Waiting waiting = waitings.next();
      if (!run.isEmpty() && !belongTogether(run.get(0), waiting)) {
        break;
      }
      if (isLive(waiting, nowMicros)) {
        run.add(waiting);
      }
      waitings.remove();
      left(waiting.id());
    }
    return run;
  }

  /**
   * Takes out the live claims that {@code door} lets in, in order, and drops the dead that it comes
   * by.
   */
  List<Waiting> take(long nowMicros, Function<Waiting, Verdict> door) {
    List<Waiting> taken = new ArrayList<>();
    Iterator<Waiting> waitings = queue.values().iterator();
    while (waitings.hasNext()) {
      Waiting waiting = waitings.next();
      boolean live = isLive(waiting, nowMicros);
      Verdict verdict = live ? door.apply(waiting) : Verdict.ENTER;
      if (verdict == Verdict.STOP) {
        break;
      }
      if (verdict == Verdict.ENTER) {
        waitings.remove();
        left(waiting.id());
        if (live) {
          taken.add(waiting);
        }
      }
    }
    return taken;
  }

  private static boolean belongTogether(Waiting first, Waiting next) {
    return next.id().clientId().equals(first.id().clientId())
        && next.request().leaseMillis() == first.request().leaseMillis();
  }

  /** Returns the live claims, in order, as others see them. */
  List<Inspection.Waiter> inspect(long nowMicros) {
    return queue.values().stream()
        .filter(waiting -> isLive(waiting, nowMicros))
        .map(
            waiting ->
                new Inspection.Waiter(
                    waiting.id().clientId(),
                    waiting.id().claim(),
                    waiting.request().share().permits(),
                    nowMicros - waiting.sinceMicros(),
                    waiting.request().label()))
        .toList();
  }

  int countLive(long nowMicros) {
    return (int) queue.values().stream().filter(w -> isLive(w, nowMicros)).count();
  }

  int heartbeats() {
    return presences.size();
  }

  List<ResourceState.WaitingState> state(long nowMicros) {
    return queue.values().stream()
        .map(
            w ->
                new ResourceState.WaitingState(
                    w.id().clientId(), w.id().claim(), w.arrival(), isLive(w, nowMicros)))
        .toList();
  }

  private boolean isLive(Waiting waiting, long nowMicros) {
    Presence presence = presences.get(waiting.id().clientId());
    return presence != null && nowMicros < presence.deadMicros;
  }

  private void left(ClaimId id) {
    Presence presence = presences.get(id.clientId());
    if (presence != null && --presence.claims == 0) {
      presences.remove(id.clientId());
    }
  }
}
