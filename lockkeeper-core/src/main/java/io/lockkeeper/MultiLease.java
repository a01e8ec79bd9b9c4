package io.lockkeeper;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The right to several resources at once: what a successful acquisition of a {@link MultiLock}
 * returns. It is valid while all of its members are. When one of them is lost the whole is lost,
 * and the others are released.
 *
 * <p>Like a {@link Lease} it belongs to whoever has this object, and its members are renewed in the
 * background unless it was acquired for a fixed time.
 */
public interface MultiLease extends AutoCloseable {

  /**
   * Returns the fencing tokens of the members, in the order of {@link MultiLock#locks()}. Each
   * orders the holders of its own resource. There is no token for the whole: send to each guarded
   * system the token of the lock that guards it.
   */
  List<Long> tokens();

  /** Returns whether all members are still held. No I/O, no blocking. */
  boolean isValid();

  /** Returns how long this stays valid if nothing renews it; zero if it is not valid. */
  Duration remaining();

  /**
   * Registers an action that runs once if this lease is lost. It runs on a client's executor and
   * gets the loss of the first member that was lost, or of the first lock if the fixed time of the
   * whole was over. If the lease is already lost, the action runs soon. It does not run after a
   * release.
   */
  void onLost(Consumer<? super LeaseLost> action);

  /**
   * Returns a stage that completes if this lease is lost, and never completes if it is released.
   */
  CompletionStage<LeaseLost> lost();

  /**
   * Gives everything back, without waiting for the stores. If the release of one member fails the
   * others are released all the same; the first failure is thrown, with the others suppressed in
   * it. Releasing again does nothing.
   *
   * @throws LeaseLostException if the lease was lost before
   */
  void release();

  /**
   * As {@link #release()}, with a stage that completes when all stores have confirmed the release.
   *
   * @return a stage that completes when the release of each member is confirmed or no longer
   *     needed, as {@link Lease#releaseAsync}; fails with what {@link #release()} would have thrown
   */
  CompletionStage<Void> releaseAsync();

  /** As {@link #release()}, so a loss that nobody noticed inside the block is thrown here. */
  @Override
  void close();
}
