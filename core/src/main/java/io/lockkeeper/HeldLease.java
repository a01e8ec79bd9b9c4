package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Something that is held for a limited time: what a successful acquisition returns.
 *
 * <p>It belongs to no thread: any thread that has this object may use and release it. It is renewed
 * in the background unless it was acquired with a fixed length. It ends by {@link #release()}, or
 * it is <i>lost</i>: it expired because no renewal got through, the store gave the resource away,
 * somebody revoked it by force, or the client was closed.
 *
 * <p>{@link #isValid()} turns false by itself, computed from the local monotonic clock without I/O,
 * and does so before the store could grant the resource to anybody else, given that both clocks run
 * at the same rate within one percent.
 */
public interface HeldLease extends AutoCloseable {

  /** Returns whether it is still held. No I/O, no blocking. */
  boolean isValid();

  /** Returns how long it stays valid if nothing renews it; zero if it is not valid. */
  Duration remaining();

  /**
   * Registers an action that runs once if this lease is lost. It runs on the client's executor,
   * never on a thread that waits for the store. If the lease is already lost, the action runs soon.
   * It does not run after a release.
   */
  void onLost(Consumer<? super LeaseLost> action);

  /**
   * Returns a stage that completes if this lease is lost, and never completes if it is released.
   */
  CompletionStage<LeaseLost> lost();

  /**
   * Gives it back, without waiting for the store. Releasing again does nothing.
   *
   * @throws LeaseLostException if the lease was lost before; nobody else's lease is touched
   */
  void release();

  /**
   * As {@link #release()}, with a stage that completes when the release is confirmed.
   *
   * @return a stage that completes on the client's executor when the release is confirmed or no
   *     longer needed; it fails with what {@link #release()} would have thrown
   */
  CompletionStage<Void> releaseAsync();

  /** As {@link #release()}, so a loss that nobody noticed inside the block is thrown here. */
  @Override
  void close();
}
