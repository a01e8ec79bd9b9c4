package io.lockkeeper;

/**
 * The right to some permits of a semaphore for a limited time.
 *
 * <p>A permit is bound to no thread. Its {@link #id()} can be stored and used by any process to
 * release it or to ask for more time: {@link DistributedSemaphore#release(String)}, {@link
 * DistributedSemaphore#renew}.
 */
public interface PermitLease extends Lease {

  /** Returns how many permits it has; what was given back in part does not count. */
  int permits();

  /** Returns the id by which any process may release it: unique over all clients. */
  String id();

  /**
   * Gives some of its permits back and keeps the rest. Giving back all of them is the same as
   * {@link #release()}. Does not wait for the store.
   *
   * @param permits from 1 to {@link #permits()}
   * @throws IllegalArgumentException if it has not so many; nothing is given back then
   * @throws IllegalStateException if it was released
   * @throws LeaseLostException if it is lost
   */
  void release(int permits);
}
