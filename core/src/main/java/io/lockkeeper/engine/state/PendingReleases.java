package io.lockkeeper.engine.state;

import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.policy.Policy;
import io.lockkeeper.spi.Grant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the releases and withdrawals of one resource that the store has not confirmed, and when to
 * ask again about each.
 *
 * <p>Not thread-safe: guarded by the coordinator's mutex.
 */
final class PendingReleases {

  private final Policy policy;
  private final Effects effects;
  private final List<PendingRelease> all = new ArrayList<>();

  /** A lower bound for the retry times of all. */
  private long retryNanos = Instants.NEVER;

  PendingReleases(Policy policy, Effects effects) {
    this.policy = policy;
    this.effects = effects;
  }

  /** Gives up a grant, and puts a claim into the queue in the same step. */
  void release(PendingRelease release, @Nullable Claim requeue) {
    all.add(release);
    effects.release(release, requeue);
  }

  /** Forgets what was answered or is pointless, and tells who waits for that. */
  void over(PendingRelease release) {
    over(release, null);
  }

  /**
   * As {@link #over(PendingRelease)}.
   *
   * @param failure why what was asked for did not happen; null if it did, or need not
   */
  void over(PendingRelease release, @Nullable RuntimeException failure) {
    all.remove(release);
    for (Completion listener : release.listeners()) {
      effects.confirmed(listener, failure);
    }
  }

  private void pointless(PendingRelease release) {
    effects.reached(Transition.PENDING_RELEASE_POINTLESS);
    over(
        release,
        release.rests()
            ? policy.unavailable("the store has not confirmed that the lock rests", null)
            : null);
  }

  /** Registers for the end of the release of a grant; returns false if none is under way. */
  boolean await(CurrentGrant grant, Completion listener) {
    for (PendingRelease release : all) {
      if (release.ends(grant.number, grant.firstToken)) {
        release.addListener(listener);
        return true;
      }
    }
    return false;
  }

  /** Returns who waits for the end of the releases that are under way. */
  List<Completion> listeners() {
    return all.stream().flatMap(release -> release.listeners().stream()).toList();
  }

  /** Plans to ask again about what was not answered. */
  void failed(PendingRelease release, long now) {
    if (now >= release.pointlessNanos) {
      pointless(release);
    } else {
      release.retryNanos = now + policy.backoffNanos(release.failures++);
      retryNanos = Math.min(retryNanos, release.retryNanos);
    }
  }

  /** Returns whether the release of this grant is under way. */
  boolean isReleasing(Grant grant) {
    return all.stream().anyMatch(release -> release.ends(grant.grant(), grant.firstToken()));
  }

  /** Returns whether the release of a grant of this number is under way. */
  boolean isReleasing(long grant) {
    for (PendingRelease release : all) {
      if (release.kind == PendingRelease.Kind.RELEASE && release.number == grant) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the withdrawals of all claims of a grant are under way, which end it. */
  boolean isWithdrawing(Grant grant) {
    return grant.claims().stream().allMatch(this::isWithdrawing);
  }

  private boolean isWithdrawing(long claim) {
    for (PendingRelease release : all) {
      if (release.kind == PendingRelease.Kind.WITHDRAW && release.number == claim) {
        return true;
      }
    }
    return false;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Takes a claim back. */
  void withdraw(PendingRelease withdrawal) {
    all.add(withdrawal);
    effects.withdraw(withdrawal);
  }

  // ------------------------------------------------------------- time

  /** Asks again about what is due. */
  void retry(long now) {
    retryNanos = Instants.NEVER;
    for (PendingRelease release : List.copyOf(all)) {
      if (now >= release.retryNanos && now >= release.pointlessNanos) {
        pointless(release);
        continue;
      }
      if (now >= release.retryNanos) {
        release.retryNanos = Instants.NEVER;
        effects.reached(Transition.PENDING_RELEASE_SENT_AGAIN);
        if (release.kind == PendingRelease.Kind.RELEASE) {
          effects.release(release, null);
        } else {
          effects.withdraw(release);
        }
      }
      retryNanos = Math.min(retryNanos, release.retryNanos);
    }
  }

  /** Brings forward whatever waits for the store to come back. */
  void reconnected(long now) {
    for (PendingRelease release : all) {
      if (release.retryNanos != Instants.NEVER) {
        release.retryNanos = now;
        retryNanos = now;
      }
    }
  }

  /** Plans to ask again about everything. */
  void askAgain(long now) {
    for (PendingRelease release : all) {
      release.retryNanos = now;
      retryNanos = now;
    }
  }

  /** Returns when to {@link #retry}, or an earlier time. */
  long retryNanos() {
    return retryNanos;
  }
}
