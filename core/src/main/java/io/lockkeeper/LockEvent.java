package io.lockkeeper;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** An event in the life of a lease of this client. Times are measured on the monotonic clock. */
public sealed interface LockEvent {

  /** Returns the resource's kind. */
  ResourceKind kind();

  /** Returns the resource's name. */
  String name();

  /**
   * A request was granted.
   *
   * @param token the lease's fencing token
   * @param waited from the call to the grant
   * @param arrival the request's place in the store's order of arrival (larger came later); empty
   *     if the store did not report it, the request was sent twice, or the lock was handed off
   *     locally
   */
  record Acquired(ResourceKind kind, String name, long token, Duration waited, OptionalLong arrival)
      implements LockEvent {}

  /**
   * A holder gave its lease back.
   *
   * @param held from the grant to the release
   */
  record Released(ResourceKind kind, String name, long token, Duration held) implements LockEvent {}

  /** A request had to wait: the store put it into the resource's queue. */
  record Waited(ResourceKind kind, String name) implements LockEvent {}

  /**
   * The resource was handed off from one holder of this client to another without the store.
   *
   * @param token the new holder's token
   */
  record HandedOver(ResourceKind kind, String name, long token) implements LockEvent {}

  /** A lease was renewed at the store. */
  record Renewed(ResourceKind kind, String name, long token, Duration remaining)
      implements LockEvent {}

  /**
   * A renewal did not get an answer from the store. It is tried again until the lease ends: many of
   * them announce a loss.
   *
   * @param remaining how long the lease stays valid if none gets through
   */
  record RenewalFailed(ResourceKind kind, String name, long token, Duration remaining)
      implements LockEvent {}

  /** A lease was lost. */
  record Lost(ResourceKind kind, String name, long token, LeaseLost.Reason reason)
      implements LockEvent {}

  /**
   * A thread of this client and others, perhaps of other processes, wait for each other in a
   * circle. Published once per thread and wait.
   *
   * @param kind the kind of what the thread of this client waits for
   * @param name its name
   * @param cycle the circle; each waits for the next, the last for the first
   * @param broken whether this client has ended the wait with a {@link DeadlockException}
   */
  record Deadlock(ResourceKind kind, String name, List<DeadlockMember> cycle, boolean broken)
      implements LockEvent {

    /** Copies the list. */
    public Deadlock {
      cycle = List.copyOf(cycle);
    }
  }

  /**
   * A request ended without a grant: timed out, interrupted, cancelled or failed.
   *
   * @param waited from the call to the end
   */
  record Abandoned(ResourceKind kind, String name, Duration waited) implements LockEvent {}
}
