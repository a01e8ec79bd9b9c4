package io.lockkeeper.engine;

import java.util.concurrent.locks.LockSupport;

/** How a thread waits for its request. */
final class Parking {

  private Parking() {}

  /**
   * Blocks until the request is granted, fails, or passes its deadline.
   *
   * @return whether it was granted
   * @throws InterruptedException if interrupted; a grant that came at the same moment is given back
   */
  static boolean awaitInterruptibly(Engine engine, Gate gate, Waiter waiter)
      throws InterruptedException {
    while (step(engine, gate, waiter)) {
      if (Thread.interrupted()) {
        giveUp(engine, gate, waiter);
        throw new InterruptedException();
      }
    }
    return waiter.state == Waiter.State.GRANTED;
  }

  /** Leaves the queue, or gives back the grant that was faster; neither leaves a trace. */
  private static void giveUp(Engine engine, Gate gate, Waiter waiter) {
    Hold granted = gate.leave(waiter) ? null : waiter.hold;
    if (granted != null && !gate.release(granted) && granted.owner != null) {
      engine
          .losses()
          .forget(granted.owner, gate.resource); // it was lost too, before its owner ever had it
    }
  }

  /**
   * As {@link #awaitInterruptibly}, but interrupts only set the thread's status again at the end.
   */
  static boolean await(Engine engine, Gate gate, Waiter waiter) {
    boolean interrupted = false;
    while (step(engine, gate, waiter)) {
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return waiter.state == Waiter.State.GRANTED;
  }

  /** Waits once; returns whether there is a reason to wait on. */
  private static boolean step(Engine engine, Gate gate, Waiter waiter) {
    if (!waiter.isWaiting()) {
      return false;
    }
    if (waiter.poked) {
      return !gate.takeIfOpen(waiter); // look again before parking: the step may have granted it
    }
    engine.deadlocks().parking();
    if (!waiter.isWaiting() || waiter.poked) {
      return true; // that call may have waited for a mutex, and so have used up the wake-up
    }
    if (waiter.deadlineNanos == Margins.NEVER) {
      LockSupport.park(gate);
      return true;
    }
    long left = waiter.deadlineNanos - engine.now();
    if (left <= 0) {
      boolean silent = gate.timedOutInSilence(waiter);
      if (gate.leave(waiter) && silent) {
        throw engine.policy().unavailable("'" + gate.name + "': the store does not answer", null);
      }
      return false;
    }
    LockSupport.parkNanos(gate, left);
    return true;
  }
}
