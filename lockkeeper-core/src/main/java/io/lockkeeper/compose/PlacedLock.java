package io.lockkeeper.compose;

/** A lock that tells where it is. */
public interface PlacedLock extends Placed {

  /**
   * Returns which side of its resource this lock is; empty for the whole. Two sides of one resource
   * are no two locks.
   */
  String side();
}
