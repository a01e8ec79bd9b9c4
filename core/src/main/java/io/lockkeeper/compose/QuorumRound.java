package io.lockkeeper.compose;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.Lease;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One attempt: all nodes are asked at once, and it is decided as soon as a majority has granted the
 * lock, or cannot do so any more and it is known why. What is answered after that still goes to the
 * hold, which takes it in or gives it back.
 */
final class QuorumRound {

  /** How an attempt ended. */
  enum Verdict {
    WON,
    /** Others hold it. */
    TAKEN,
    /** So many nodes did not answer that nobody could have won. */
    SILENT,
    /** So many nodes refused that it will not get better. */
    REFUSED,
    /** So many clients are closed that it will not get better. */
    CLOSED
  }

  private final QuorumLockView lock;
  private final QuorumHold hold;
  private final CompletableFuture<Verdict> verdict = new CompletableFuture<>();

  /** Guards the fields below. Nothing is called under it. */
  private final ReentrantLock mutex = new ReentrantLock();

  private final List<CompletableFuture<Lease>> asked = new ArrayList<>();
  private int granted;
  private int failed;
  private int silent;
  private int closed;
  private @Nullable StoreRefusedException refusal;
  private int refused;
  private boolean decided;

  private Scheduler.Cancellable limit = () -> {};

  QuorumRound(QuorumLockView lock, QuorumHold hold) {
    this.lock = lock;
    this.hold = hold;
  }

  /**
   * Asks all nodes.
   *
   * @param timeout how long a node may take
   */
  CompletableFuture<Verdict> begin(AcquireOptions options, Duration timeout) {
    List<CompletableFuture<Lease>> requests = new ArrayList<>();
    for (int node = 0; node < lock.size(); node++) {
      requests.add(ask(node, options));
    }
    mutex.lock();
    try {
      asked.addAll(requests);
    } finally {
      mutex.unlock();
    }
    if (options.maxWait().equals(Optional.of(Duration.ZERO))) { // it has no limit of its own
      limit = lock.host().later(this::cancel, Math.max(0, timeout.toNanos()));
    }
    for (int node = 0; node < requests.size(); node++) {
      int index = node;
      CompletionStage<Lease> request = requests.get(node);
      request.whenComplete(
          (lease, failure) -> {
            try {
              answered(index, lease, failure);
            } catch (Throwable broken) { // an error too: somebody waits for the verdict
              verdict.completeExceptionally(broken);
            }
          });
    }
    return verdict;
  }

  private CompletableFuture<Lease> ask(int node, AcquireOptions options) {
    try {
      return lock.node(node).acquireAsync(options).toCompletableFuture();
    } catch (Throwable failure) { // an error too: the other nodes' leases must not be forgotten
      return CompletableFuture.failedFuture(failure);
    }
  }

  /** Gives up what has not been answered. */
  void cancel() {
    List<CompletableFuture<Lease>> requests;
    mutex.lock();
    try {
      requests = List.copyOf(asked);
    } finally {
      mutex.unlock();
    }
    requests.forEach(request -> request.cancel(false));
  }

  @Nullable StoreRefusedException refusal() {
    mutex.lock();
    try {
      return refusal;
    } finally {
      mutex.unlock();
    }
  }

  private void answered(int node, @Nullable Lease lease, @Nullable Throwable failure) {
    if (lease != null) {
      hold.join(node, lease);
    }
    Verdict decision;
    boolean isLate;
    mutex.lock();
    try {
      isLate = decided;
      count(lease, failure);
      decision = decided ? null : decide();
      decided |= decision != null;
    } finally {
      mutex.unlock();
    }
    if (decision != null) {
      tell(decision);
    } else if (isLate && lease == null && !(failure instanceof LockkeeperClosedException)) {
      hold.missing(node);
    }
  }

  private void count(@Nullable Lease lease, @Nullable Throwable failure) {
    if (lease != null) {
      granted++;
      return;
    }
    failed++;
    if (failure instanceof LockkeeperClosedException) {
      closed++;
    } else if (failure instanceof StoreRefusedException no) {
      refusal = no;
      refused++;
    } else if (!(failure instanceof AcquireTimeoutException)) {
      silent++;
    }
  }

  /** Returns the verdict, or null if it is too early for one. */
  private @Nullable Verdict decide() {
    if (granted >= lock.majority()) {
      return Verdict.WON;
    }
    int spare = lock.size() - lock.majority();
    if (failed <= spare) {
      return null;
    }
    if (closed > spare) {
      return Verdict.CLOSED;
    }
    if (closed + refused > spare) {
      return refused > 0 ? Verdict.REFUSED : Verdict.CLOSED;
    }
    int mute = closed + refused + silent;
    if (mute > spare) {
      return Verdict.SILENT;
    }
    int heard = granted + failed - mute;
    return heard >= lock.majority() ? Verdict.TAKEN : null; // if not yet, it is worth waiting for
  }

  private void tell(Verdict decision) {
    limit.cancel();
    Verdict told = decision == Verdict.WON && !hold.form() ? Verdict.TAKEN : decision;
    if (told == Verdict.WON) {
      lackOf();
    } else {
      hold.abandon();
      cancel();
    }
    verdict.complete(told);
  }

  /** Asks the nodes that have failed already, or were lost since they granted it, again later. */
  private void lackOf() {
    for (int node = 0; node < asked.size(); node++) {
      if (asked.get(node).isDone() && !hold.isAt(node)) {
        hold.missing(node);
      }
    }
  }
}
