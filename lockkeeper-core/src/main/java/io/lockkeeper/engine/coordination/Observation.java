package io.lockkeeper.engine.coordination;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DeadlockException;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockObserver.Ending;
import io.lockkeeper.LockObserver.Via;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.runtime.Observers;
import io.lockkeeper.engine.state.Hold;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tells the observers what becomes of one attempt. It is over once: by a hold, by a failure, or by
 * whoever cancels it, on different threads.
 */
final class Observation {

  private final Observers.Attempts attempts;
  private final BiFunction<ResourceCoordinator, Hold, Lease> leases;
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * Begins.
   *
   * @param leases makes what observers see of a hold
   */
  Observation(Observers.Attempts attempts, BiFunction<ResourceCoordinator, Hold, Lease> leases) {
    this.attempts = attempts;
    this.leases = leases;
  }

  /** Tells that it brought a hold, and has its end told; returns false if it was over before. */
  boolean acquired(ResourceCoordinator coordinator, Hold hold) {
    if (!over.compareAndSet(false, true)) {
      return false;
    }
    Lease lease = leases.apply(coordinator, hold);
    attempts.tell(attempt -> attempt.acquired(lease, hold.via()));
    hold.watch(() -> attempts.tell(attempt -> attempt.released()));
    CompletionStage<LeaseLost> lost = coordinator.lossOf(hold);
    lost.thenAcceptAsync(
        loss -> attempts.tell(attempt -> attempt.lost(loss)), coordinator.runtime().executor());
    return true;
  }

  /** Tells that a thread has entered again what it holds. */
  void reentered(ResourceCoordinator coordinator, Hold hold) {
    Lease lease = leases.apply(coordinator, hold);
    attempts.tell(attempt -> attempt.acquired(lease, Via.REENTRY));
  }

  /** Tells that it brought nothing, if that is so; null stands for a wait that is over. */
  void ended(@Nullable Throwable failure) {
    if (over.compareAndSet(false, true)) {
      Ending why = ending(failure);
      attempts.tell(attempt -> attempt.ended(why, failure));
    }
  }

  private static Ending ending(@Nullable Throwable failure) {
    if (failure == null || failure instanceof AcquireTimeoutException) {
      return Ending.TIMEOUT;
    }
    if (failure instanceof InterruptedException) {
      return Ending.INTERRUPTED;
    }
    if (failure instanceof CancellationException) {
      return Ending.CANCELLED;
    }
    if (failure instanceof DeadlockException) {
      return Ending.DEADLOCK;
    }
    if (failure instanceof StoreUnavailableException) {
      return Ending.UNAVAILABLE;
    }
    if (failure instanceof StoreRefusedException) {
      return Ending.REFUSED;
    }
    return failure instanceof LockkeeperClosedException ? Ending.CLOSED : Ending.FAILED;
  }
}
