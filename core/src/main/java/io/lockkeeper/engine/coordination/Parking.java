package io.lockkeeper.engine.coordination;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.state.Hold;
import io.lockkeeper.engine.state.Waiter;
import java.util.concurrent.locks.LockSupport;

/** Blocks threads that wait for their requests. */
public final class Parking {

  private final ClientRuntime runtime;
  private final LostHolds lostHolds;
  private final Runnable beforeParking;

  /**
   * Creates it.
   *
   * @param beforeParking is run by each thread that is about to wait
   */
  public Parking(ClientRuntime runtime, LostHolds lostHolds, Runnable beforeParking) {
    this.runtime = runtime;
    this.lostHolds = lostHolds;
    this.beforeParking = beforeParking;
  }

  /**
   * Blocks until the request is granted, fails, or passes its deadline.
   *
   * @return whether it was granted
   * @throws InterruptedException if interrupted; a grant that came at the same moment is given
   *     back, unless it is the news that all have come to a barrier, where others go on with it
   */
  boolean awaitInterruptibly(ResourceCoordinator coordinator, Waiter waiter)
      throws InterruptedException {
    boolean interrupted = false;
    while (step(coordinator, waiter)) {
      if (Thread.interrupted()) {
        interrupted = true;
        coordinator.leave(waiter);
      }
    }
    boolean granted = waiter.state() == Waiter.State.GRANTED;
    if (interrupted) {
      if (!granted || coordinator.resource().kind() != ResourceKind.BARRIER) {
        giveUp(coordinator, waiter);
        throw new InterruptedException();
      }
      Thread.currentThread().interrupt();
    }
    return granted;
  }

  /** Leaves the queue, or gives back the grant that was faster; neither leaves a trace. */
  void giveUp(ResourceCoordinator coordinator, Waiter waiter) {
    Hold granted = coordinator.leave(waiter) ? null : waiter.hold();
    if (granted != null && !coordinator.release(granted) && granted.owner() != null) {
      // It was lost too, before its owner ever had it.
      lostHolds.forget(granted.owner(), coordinator.resource());
    }
  }

  /**
   * As {@link #awaitInterruptibly}, but interrupts only set the thread's status again at the end.
   */
  boolean await(ResourceCoordinator coordinator, Waiter waiter) {
    boolean interrupted = false;
    while (step(coordinator, waiter)) {
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return waiter.state() == Waiter.State.GRANTED;
  }

  /** Waits once; returns whether there is a reason to wait on. */
  private boolean step(ResourceCoordinator coordinator, Waiter waiter) {
    if (waiter.isOver()) {
      return false;
    }
    if (waiter.isLeaving()) {
      long left = waiter.leavesByNanos() - runtime.now();
      if (left <= 0) {
        coordinator.leaveUnconfirmed(waiter);
      } else {
        LockSupport.parkNanos(coordinator, left);
      }
      return true;
    }
    if (waiter.isSignalled()) {
      // Look again before parking: the step may have granted it.
      return !coordinator.takeIfOpen(waiter);
    }
    beforeParking.run();
    if (!waiter.isWaiting() || waiter.isSignalled()) {
      return true; // that call may have waited for a mutex, and so have used up the wake-up
    }
    if (waiter.deadlineNanos() == Instants.NEVER) {
      LockSupport.park(coordinator);
      return true;
    }
    long left = waiter.deadlineNanos() - runtime.now();
    if (left <= 0) {
      coordinator.timeOut(waiter);
      return true;
    }
    LockSupport.parkNanos(coordinator, left);
    return true;
  }
}
