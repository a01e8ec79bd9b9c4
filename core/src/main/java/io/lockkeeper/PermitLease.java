package io.lockkeeper;

/**
 * The right to some permits of a semaphore for a limited time.
 *
 * <p>A permit is bound to no thread. Any process may use its {@link #id()} to release or renew it:
 * {@link DistributedSemaphore#release(String)}, {@link DistributedSemaphore#renew}.
 */
public interface PermitLease extends Lease {

  /** Returns the number of permits that this lease still has, without those already released. */
  int permits();

  /**
   * Returns the id by which any process may release or renew this lease: unique over all clients.
   */
  String id();

  /**
   * Releases some of the permits and keeps the rest. Releasing all of them is the same as {@link
   * #release()}. Does not wait for the store.
   *
   * @param permits from 1 to {@link #permits()}
   * @throws IllegalArgumentException if it does not have so many; nothing is released then
   * @throws IllegalStateException if it was released
   * @throws LeaseLostException if it is lost
   */
  void release(int permits);
}
