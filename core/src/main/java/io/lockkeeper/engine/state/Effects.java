package io.lockkeeper.engine.state;

import io.lockkeeper.LockEvent;
import io.lockkeeper.spi.RenewRequest;
import org.jspecify.annotations.Nullable;

/**
 * Takes what a {@link ResourceState} wants done in the world. Noted while the coordinator's mutex
 * is held, and carried out in the same order after it has been let go.
 */
public interface Effects {

  /** Sends a claim. */
  void claim(Claim claim);

  /** Sends a release, with a claim to put into the queue in the same step. */
  void release(PendingRelease release, @Nullable Claim requeue);

  /** Sends a withdrawal. */
  void withdraw(PendingRelease withdrawal);

  /** Wakes a thread that may take the resource. */
  void wake(Waiter waiter);

  /** Tells a caller that its request was granted or has failed. */
  void settled(Waiter waiter);

  /** Tells a holder what became of the renewal it asked for: null for done, else why not. */
  void renewed(ManualRenewal wish, @Nullable RuntimeException failure);

  /** Remembers a loss for its owner. At once: who no longer finds its hold must find its loss. */
  default void remember(Thread owner, Hold lost) {}

  /** Sends a renewal that gives back a part, so that it comes before what is decided later. */
  void shrink(CurrentGrant grant, RenewRequest request);

  /** Tells somebody who waits for it that something is confirmed: null, or else why it is not. */
  void confirmed(Completion completion, @Nullable RuntimeException failure);

  /** Tells a holder that its hold is lost. */
  void lost(Hold hold);

  /** Tells the listeners. */
  void event(LockEvent event);

  /** Returns whether anybody listens to events of a kind. */
  boolean wants(Class<? extends LockEvent> kind);

  /** Logs what goes wrong without anybody being there to be told. */
  default void failed(String what, RuntimeException failure) {}

  /** Counts a transition, in a simulation. */
  default void reached(Transition transition) {}
}
