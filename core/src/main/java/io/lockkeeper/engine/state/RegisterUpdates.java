package io.lockkeeper.engine.state;

import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.policy.Policy;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.Store;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the changes of one register that a client wants: one update is under way at a time, and
 * what comes meanwhile goes out with the next one. An update without an answer is sent again as it
 * was, as long as the store surely knows it by its number.
 *
 * <p>Not thread-safe: guarded by the coordinator's mutex.
 */
public final class RegisterUpdates {

  /** How large the values in one update may be together, unless it is only one. */
  private static final int MAX_BYTES = 1 << 20;

  private static final long MIN_REMEMBER_MILLIS = 60_000;
  private static final long MAX_REMEMBER_MILLIS = 3_600_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final CellId id;
  private final Policy policy;
  private final RegisterEffects effects;

  /** How long the store is to know the results of an update. */
  private final long rememberMillis;

  private final ArrayDeque<RegisterChange> wanted = new ArrayDeque<>();
  private @Nullable RegisterBatch underWay;

  /** When to send the update again. */
  private long retryNanos = Instants.NEVER;

  private int failures;

  RegisterUpdates(CellId id, Policy policy, RegisterEffects effects) {
    this.id = id;
    this.policy = policy;
    this.effects = effects;
    this.rememberMillis = rememberMillis(policy);
  }

  /** Returns how long the store has to know what it has done. */
  public static long rememberMillis(Policy policy) {
    long twicePatienceMillis = policy.patienceNanos() / NANOS_PER_MILLI * 2;
    return Math.max(MIN_REMEMBER_MILLIS, Math.min(MAX_REMEMBER_MILLIS, twicePatienceMillis));
  }

  void add(RegisterChange change, long now) {
    wanted.add(change);
    if (underWay == null) {
      sendNext(now);
    }
  }

  /** Returns whether this is the update whose answer is awaited: it may have been given up. */
  boolean isUnderWay(RegisterBatch batch) {
    return underWay != null && batch.update().batch() == underWay.update().batch();
  }

  private void sendNext(long now) {
    forgetUpdate();
    List<RegisterChange> next = takeWanted();
    if (!next.isEmpty()) {
      List<CellChange> changes = next.stream().map(RegisterChange::change).toList();
      CellUpdate update = new CellUpdate(id, policy.nextClaim(), changes, rememberMillis);
      underWay = new RegisterBatch(update, next, now);
      effects.update(underWay);
    }
  }

  private void forgetUpdate() {
    underWay = null;
    failures = 0;
    retryNanos = Instants.NEVER;
  }

  private List<RegisterChange> takeWanted() {
    List<RegisterChange> changes = new ArrayList<>();
    int bytes = 0;
    for (RegisterChange change = wanted.peek(); change != null; change = wanted.peek()) {
      bytes += change.size();
      if (changes.size() == Store.MAX_CHANGES || (!changes.isEmpty() && bytes > MAX_BYTES)) {
        break;
      }
      changes.add(wanted.remove());
    }
    return changes;
  }

  // ------------------------------------------------------------- answers

  void answered(RegisterBatch batch, List<CellResult> results, long now) {
    for (int i = 0; i < results.size(); i++) {
      Receiver<CellResult> receiver = batch.changes().get(i).receiver();
      CellResult result = results.get(i);
      effects.tell(() -> receiver.receive(result));
    }
    sendNext(now);
  }

  /**
   * Ends an update that the store refuses. If it was sent before, without an answer, the refusal
   * says nothing about that.
   */
  void refused(RegisterBatch batch, RuntimeException refusal, long now) {
    fail(
        batch.changes(),
        failures == 0
            ? refusal
            : policy.unavailable(
                "the change may have been made: " + refusal.getMessage(), refusal));
    sendNext(now);
  }

  /**
   * Plans to send an update again, or gives it up if the store might have forgotten it before the
   * next one arrives.
   */
  void unanswered(RegisterBatch batch, RuntimeException failure, long now) {
    if (now - batch.firstSentNanos() < rememberMillis / 2 * NANOS_PER_MILLI) {
      retryNanos = now + policy.backoffNanos(failures++);
    } else {
      fail(batch.changes(), failure);
      sendNext(now);
    }
  }

  void failAll(RuntimeException failure) {
    if (underWay != null) {
      fail(underWay.changes(), failure);
    }
    fail(List.copyOf(wanted), failure);
    wanted.clear();
    forgetUpdate();
  }

  private void fail(List<RegisterChange> changes, RuntimeException failure) {
    for (RegisterChange change : changes) {
      effects.tell(() -> change.receiver().fail(failure));
    }
  }

  // ------------------------------------------------------------- time

  void retryIfDue(long now) {
    if (now >= retryNanos && underWay != null) {
      retryNanos = Instants.NEVER;
      effects.update(underWay);
    }
  }

  void reconnected(long now) {
    if (retryNanos != Instants.NEVER) {
      retryNanos = now;
    }
  }

  long dueNanos() {
    return retryNanos;
  }

  boolean isIdle() {
    return underWay == null;
  }
}
