package io.lockkeeper.compose;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.QuorumLease;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.support.DurationText;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition: attempts with random pauses between them, until one has won or the wait is over.
 *
 * <p>Attempts of two kinds take turns. The first asks each node once, which a living node answers
 * at once; so it tells whether the lock is taken or a majority is away. If it is taken the second
 * waits in the nodes' queues for the node timeout, so that a release is seen without polling.
 *
 * <p>There is one attempt or one pause at a time, so its fields need no lock.
 */
final class QuorumTaking {

  /** A limit on an attempt that is still one. */
  private static final Duration LEAST = Duration.ofMillis(1);

  private final QuorumLockView lock;
  private final Deadline wait;
  private final @Nullable Duration lease;
  private final CompletableFuture<QuorumLease> result = new CompletableFuture<>();

  /** When a majority last gave signs of life. */
  private long heardNanos;

  private boolean everHeard;

  /** Whether the attempt asks once instead of waiting in queues. */
  private boolean asksOnce = true;

  /** The request that is under way, for a thread that cancels the whole. */
  private volatile @Nullable QuorumRound round;

  private volatile Scheduler.@Nullable Cancellable pause;

  QuorumTaking(QuorumLockView lock, Deadline wait, @Nullable Duration lease) {
    this.lock = lock;
    this.wait = wait;
    this.lease = lease;
    this.heardNanos = lock.host().nanos();
  }

  CompletableFuture<QuorumLease> begin() {
    CompletionStage<QuorumLease> stage = result;
    stage.exceptionally(
        failure -> {
          stop(); // cancelled by the caller, or over anyway
          return null;
        });
    attempt();
    return result;
  }

  private void stop() {
    QuorumRound current = round;
    if (current != null) {
      current.cancel();
    }
    Scheduler.Cancellable timer = pause;
    if (timer != null) {
      timer.cancel();
    }
  }

  private void attempt() {
    if (result.isDone()) {
      return;
    }
    QuorumHold hold = new QuorumHold(lock, lease != null);
    QuorumRound next = new QuorumRound(lock, hold);
    CompletionStage<QuorumRound.Verdict> verdict = next.begin(options(), limit());
    round = next;
    if (result.isDone()) {
      next.cancel();
    }
    verdict.whenComplete(
        (decision, broken) -> {
          try {
            if (broken != null) {
              throw broken;
            }
            decided(decision, hold, next);
          } catch (Throwable failure) { // an error too: somebody waits for the result
            hold.abandon();
            result.completeExceptionally(failure);
          }
        });
  }

  private AcquireOptions options() {
    AcquireOptions options = AcquireOptions.defaults().withWait(asksOnce ? Duration.ZERO : limit());
    return lease == null ? options : options.withFixedLease(lease);
  }

  /** Returns how long the attempt may take. */
  private Duration limit() {
    Duration timeout = lock.nodeTimeout();
    if (wait.isUnlimited() || wait.asksOnce() || wait.left().compareTo(timeout) >= 0) {
      return timeout;
    }
    return wait.left().compareTo(LEAST) < 0 ? LEAST : wait.left();
  }

  private void decided(QuorumRound.Verdict verdict, QuorumHold hold, QuorumRound decided) {
    switch (verdict) {
      case WON -> {
        if (!result.complete(hold)) {
          hold.abandon();
        }
      }
      case CLOSED ->
          result.completeExceptionally(
              new LockkeeperClosedException(
                  "'" + lock.name() + "': too many of the quorum's clients are closed"));
      case REFUSED -> {
        StoreRefusedException refusal = decided.refusal();
        result.completeExceptionally(refusal == null ? unavailable() : refusal);
      }
      case SILENT -> lost(true);
      case TAKEN -> {
        if (asksOnce) { // otherwise the end of a wait is all that is known
          everHeard = true;
          heardNanos = lock.host().nanos();
        }
        lost(!asksOnce);
      }
    }
  }

  /**
   * Goes on after an attempt in vain.
   *
   * @param pauses whether with a pause and by asking once, or at once by waiting in the queues
   */
  private void lost(boolean pauses) {
    Host host = lock.host();
    asksOnce = pauses;
    if (wait.asksOnce() || wait.isOver()) {
      result.completeExceptionally(everHeard ? timedOut() : unavailable());
    } else if (host.nanos() - heardNanos >= host.patienceNanos()) {
      result.completeExceptionally(unavailable());
    } else if (!pauses) {
      attempt();
    } else {
      long delay = 1 + host.random(lock.nodeTimeout().toNanos());
      pause = host.later(this::attempt, Math.max(0, Math.min(delay, wait.leftNanos())));
      if (result.isDone()) {
        stop();
      }
    }
  }

  private AcquireTimeoutException timedOut() {
    return lock.host()
        .timedOut(
            "'"
                + lock.name()
                + "' was not granted by a majority within "
                + DurationText.of(wait.limit()));
  }

  private StoreUnavailableException unavailable() {
    return new StoreUnavailableException(
        "'" + lock.name() + "': no majority of the quorum's nodes answers", null);
  }
}
