package io.lockkeeper.compose;

import io.lockkeeper.Lease;

/** A lock that tells where it is. */
public interface StoreBoundLock extends StoreBound {

  /**
   * Returns which side of its resource this lock is; empty for the whole. Two sides of one resource
   * are no two locks.
   */
  String side();

  /**
   * Returns the current thread's hold as a lease, as {@link
   * io.lockkeeper.DistributedLock#heldLease}. To release it ends the hold only if the thread has
   * locked it no more than once; otherwise it changes nothing, and the thread unlocks by itself.
   */
  Lease heldOnce();

  /**
   * Unlocks it once, as {@link io.lockkeeper.DistributedLock#unlock} does, if the current thread's
   * hold is still the one of {@code once}; otherwise, or if that was lost, it changes nothing. It
   * never waits until a release is confirmed.
   *
   * @param once what {@link #heldOnce} returned
   */
  void leave(Lease once);
}
