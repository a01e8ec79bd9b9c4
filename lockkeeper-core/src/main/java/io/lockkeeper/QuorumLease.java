package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The right to a resource, held at a majority of nodes: what a successful acquisition of a {@link
 * QuorumLock} returns. It is valid while it is held by a valid lease at a majority, whichever nodes
 * these are.
 *
 * <p>At each node it is renewed by that node's client, unless it was acquired for a fixed time. A
 * node that is lost is asked again in the background. When the majority is lost, what is left is
 * released.
 */
public interface QuorumLease extends AutoCloseable {

  /** Returns the resource's name. */
  String name();

  /**
   * Returns the fencing token: newer than that of every earlier holder, as {@link QuorumToken} says
   * it. It names the nodes that hold this lease now, so it may have more nodes or others later.
   *
   * @throws LeaseLostException if the lease is lost
   * @throws IllegalStateException if it was released
   */
  QuorumToken token();

  /** Returns whether a majority holds this lease. No I/O, no blocking. */
  boolean isValid();

  /** Returns at how many nodes it is held now. */
  int nodes();

  /** Returns how long a majority stays valid if nothing renews it; zero if it is not valid. */
  Duration remaining();

  /**
   * Has {@code action} called once if this lease is lost, on a client's executor, with the loss
   * that cost the majority. If it is already lost the action is called soon. It is not called after
   * a release.
   */
  void onLost(Consumer<? super LeaseLost> action);

  /**
   * Returns a stage that completes if this lease is lost, and never completes if it is released.
   */
  CompletionStage<LeaseLost> lost();

  /**
   * Gives the resource back at all nodes, also where it was not granted in time. Does not wait for
   * the stores. Releasing again does nothing.
   *
   * @throws LeaseLostException if the lease was lost before
   */
  void release();

  /**
   * As {@link #release()}, and says when a majority of the nodes know of it: from then on another
   * client may get it.
   *
   * @return completes when the releases at a majority are confirmed or pointless, as {@link
   *     Lease#releaseAsync}; fails with what {@link #release()} would have thrown
   */
  CompletionStage<Void> releaseAsync();

  /** As {@link #release()}: a loss that went unnoticed inside the block is not swallowed. */
  @Override
  void close();
}
