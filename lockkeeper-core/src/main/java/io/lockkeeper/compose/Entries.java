package io.lockkeeper.compose;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import org.jspecify.annotations.Nullable;

/** How often a thread has locked a lock that is made of several. Only that thread touches it. */
class Entries {

  int count = 1;

  /** Whether the thread was told of the loss as it locked again. */
  private boolean lossTold;

  /**
   * Counts a further lock by the thread that holds it; returns false if its hold was lost, so that
   * the thread begins anew.
   *
   * @param loss the loss of its hold, or null
   * @param lock the lock, for messages
   * @throws LeaseLostException the first time that a loss is met, unless the thread expects it: a
   *     fixed lease asked for just that much time, and a closed client says so itself
   */
  boolean enter(@Nullable LeaseLost loss, Object lock) {
    if (loss != null) {
      boolean isNews =
          loss.reason() != LeaseLost.Reason.FIXED_LEASE_ENDED
              && loss.reason() != LeaseLost.Reason.CLIENT_CLOSED;
      if (isNews && !lossTold) {
        lossTold = true;
        throw new LeaseLostException(loss);
      }
      return false;
    }
    if (count == Integer.MAX_VALUE) {
      throw new IllegalStateException(lock + " is locked too often by one thread");
    }
    count++;
    return true;
  }
}
