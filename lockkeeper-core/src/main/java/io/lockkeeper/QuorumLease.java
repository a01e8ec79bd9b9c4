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
 * node that is lost is asked again in the background. When the majority is lost, the remaining
 * nodes are released.
 */
public interface QuorumLease extends AutoCloseable {

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

  /** Returns whether a majority holds this lease. No I/O, no blocking. */
  boolean isValid();

  /** Returns the number of nodes that hold this lease now. */
  int nodes();

  /** Returns how long a majority stays valid if nothing renews it; zero if it is not valid. */
  Duration remaining();

  /**
   * Registers an action that runs once if this lease is lost. It runs on a client's executor and
   * gets the loss that cost the majority. If the lease is already lost, the action runs soon. It
   * does not run after a release.
   */
  void onLost(Consumer<? super LeaseLost> action);

  /**
   * Returns a stage that completes if this lease is lost, and never completes if it is released.
   */
  CompletionStage<LeaseLost> lost();

  /**
   * Releases the resource at all nodes, including those that did not grant it in time. Does not
   * wait for the stores. Releasing again does nothing.
   *
   * @throws LeaseLostException if the lease was lost before
   */
  void release();

  /**
   * As {@link #release()}, with a stage that completes when a majority of the nodes have confirmed
   * the release. From then on another client may acquire the lock.
   *
   * @return a stage that completes when the releases at a majority are confirmed or no longer
   *     needed, as {@link Lease#releaseAsync}; fails with what {@link #release()} would have thrown
   */
  CompletionStage<Void> releaseAsync();

  /** As {@link #release()}, so a loss that nobody noticed inside the block is thrown here. */
  @Override
  void close();
}
