package io.lockkeeper;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The right to a resource, held at a majority of nodes: what a successful acquisition of a {@link
 * QuorumLock} returns. It is valid while it is held by a valid lease at a majority, whichever nodes
 * these are.
 *
 * <p>At each node it is renewed by that node's client, unless it was acquired for a fixed time. A
 * node that is lost is asked again in the background. When the majority is lost, the remaining
 * nodes are released.
 */
public interface QuorumLease extends HeldLease {

  /** Returns the resource's name. */
  String name();

  /**
   * Returns the fencing token: newer than that of every earlier holder, as {@link QuorumToken}
   * compares them. It covers the nodes that hold this lease now, and so may cover more or other
   * nodes later.
   *
   * @throws LeaseLostException if the lease is lost
   * @throws IllegalStateException if it was released
   */
  QuorumToken token();

  /** Returns the number of nodes that hold this lease now. */
  int nodes();

  /** {@inheritDoc} It gets the loss that cost the majority. */
  @Override
  void onLost(Consumer<? super LeaseLost> action);

  /**
   * Releases the resource at all nodes, including those that did not grant it in time. Does not
   * wait for the stores. Releasing again does nothing.
   *
   * @throws LeaseLostException if the lease was lost before
   */
  @Override
  void release();

  /**
   * As {@link #release()}, with a stage that completes when a majority of the nodes have confirmed
   * the release, of those that held this lease. From then on another client may acquire the lock.
   *
   * @return a stage that completes when the releases at a majority are confirmed or no longer
   *     needed, as {@link Lease#releaseAsync}; fails with what {@link #release()} would have thrown
   */
  @Override
  CompletionStage<Void> releaseAsync();
}
