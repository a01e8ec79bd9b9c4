package io.lockkeeper.compose;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import org.jspecify.annotations.Nullable;

/** The number of times that a thread has locked a composed lock. Confined to that thread. */
class Entries {

  int count = 1;

  /** Whether a further lock has already thrown the loss. */
  private boolean lossThrown;

  /**
   * Counts a further lock; returns false if the hold was lost, so that the thread must acquire the
   * lock again.
   *
   * @param loss the loss of the hold, or null
   * @param lock the lock, for messages
   * @throws LeaseLostException once for each loss; not at the end of a fixed lease, which the
   *     thread expects, nor if the client is closed, which the next call reports itself
   */
  boolean enter(@Nullable LeaseLost loss, Object lock) {
    if (loss != null) {
      boolean isNews =
          loss.reason() != LeaseLost.Reason.FIXED_LEASE_ENDED
              && loss.reason() != LeaseLost.Reason.CLIENT_CLOSED;
      if (isNews && !lossThrown) {
        lossThrown = true;
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
