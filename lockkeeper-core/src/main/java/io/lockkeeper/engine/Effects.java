package io.lockkeeper.engine;

import io.lockkeeper.LockEvent;
import io.lockkeeper.spi.RenewRequest;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What {@link GateState} wants done in the world. Noted while the gate's mutex is held, and carried
 * out in the same order after it has been let go.
 */
interface Effects {

  /** Sends a claim. */
  void claim(Claim claim);

  /** Sends a release, with a claim to put into the queue in the same step. */
  void release(Retreat retreat, @Nullable Claim requeue);

  /** Sends a withdrawal. */
  void withdraw(Retreat retreat);

  /** Wakes a thread to look at the gate. */
  void wake(Waiter waiter);

  /** Tells a caller that its request was granted or has failed. */
  void settled(Waiter waiter);

  /** Tells a holder what became of the renewal it asked for: null for done, else why not. */
  void renewed(ManualRenewal wish, @Nullable RuntimeException failure);

  /** Remembers a loss for its owner. At once: who no longer finds its hold must find its loss. */
  default void remember(Thread owner, Hold lost) {}

  /** Sends a renewal that gives back a part, so that it comes before what is decided later. */
  void shrink(Tenure tenure, RenewRequest request);

  /** Tells those who wait for it that something is confirmed. */
  void confirmed(CompletableFuture<Void> confirmation);

  /** Tells a holder that its hold is lost. */
  void lost(Hold hold);

  /** Tells the listeners. */
  void event(LockEvent event);

  /** Returns whether anybody listens. */
  boolean listening();

  /** Counts a transition, in a simulation. */
  default void reached(Transition transition) {}
}
