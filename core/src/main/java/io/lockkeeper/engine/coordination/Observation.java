package io.lockkeeper.engine.coordination;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DeadlockException;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockObserver.Ending;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.Observers;
import io.lockkeeper.engine.state.Hold;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tells the observers what becomes of one attempt, and of the hold that it brings. The attempt is
 * over once: by a hold, by a failure, or by a cancellation, on different threads.
 */
final class Observation implements Hold.Watcher {

  /** Moves {@link #stage} on: an {@code AtomicReference} would be one more object per attempt. */
  private static final AtomicReferenceFieldUpdater<Observation, Stage> STAGE =
      AtomicReferenceFieldUpdater.newUpdater(Observation.class, Stage.class, "stage");

  private final ClientRuntime runtime;
  private final Observers.Attempts attempts;
  private final BiFunction<ResourceCoordinator, Hold, Lease> leases;
  private final long askedNanos;
  private volatile Stage stage = Stage.ASKED;

  /** When its holder knew of the hold; written before the hold has its watcher. */
  private long heldSinceNanos;

  /** How far it is. */
  private enum Stage {
    ASKED,
    HELD,
    OVER
  }

  /**
   * Begins.
   *
   * @param leases makes what observers see of a hold
   * @param askedNanos when the request was made
   */
  Observation(
      ClientRuntime runtime,
      Observers.Attempts attempts,
      BiFunction<ResourceCoordinator, Hold, Lease> leases,
      long askedNanos) {
    this.runtime = runtime;
    this.attempts = attempts;
    this.leases = leases;
    this.askedNanos = askedNanos;
  }

  /**
   * Tells that it brought a hold, and has its end told; returns false if it was over before.
   *
   * @param now when its holder knew of it
   */
  boolean acquired(ResourceCoordinator coordinator, Hold hold, long now) {
    if (!moves(Stage.ASKED, Stage.HELD)) {
      return false;
    }
    Lease lease = leases.apply(coordinator, hold);
    attempts.acquired(lease, hold.via(), now - askedNanos);
    heldSinceNanos = now;
    hold.watch(this);
    if (hold.state() == Hold.State.LOST) { // perhaps before it was watched
      runtime.execute(hold::tellLost);
    }
    return true;
  }

  @Override
  public void released(long overNanos) {
    attempts.released(heldNanos(overNanos));
  }

  @Override
  public void lost(LeaseLost loss, long overNanos) {
    if (moves(Stage.HELD, Stage.OVER)) {
      long heldNanos = heldNanos(overNanos);
      attempts.tell(attempt -> attempt.lost(loss, heldNanos));
    }
  }

  /** Takes it from one stage to the next; returns false if another has done so before. */
  private boolean moves(Stage from, Stage to) {
    return stage == from && STAGE.compareAndSet(this, from, to);
  }

  /** Returns how long it was held: not at all if it was lost before its holder knew of it. */
  private long heldNanos(long overNanos) {
    return Math.max(0, overNanos - heldSinceNanos);
  }

  /** Tells that it brought nothing, if that is so; null stands for a wait that is over. */
  void ended(@Nullable Throwable failure) {
    if (moves(Stage.ASKED, Stage.OVER)) {
      Ending why = ending(failure);
      long waitedNanos = runtime.now() - askedNanos;
      attempts.tell(attempt -> attempt.ended(why, failure, waitedNanos));
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
