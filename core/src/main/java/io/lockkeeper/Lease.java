package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The right to a resource for a limited time: a lock, or permits of a shared resource. */
public interface Lease extends HeldLease {

  /** Returns the kind of the resource. */
  ResourceKind kind();

  /** Returns the resource's name. */
  String name();

  /**
   * Returns whether no other lease of the resource is valid beside this one: true for a lock, a
   * term of office and a write lock, false for a read lock and for permits. Only such a lease
   * fences others off.
   */
  default boolean isExclusive() {
    return kind().isExclusive();
  }

  /**
   * Returns the fencing token: larger than that of every earlier lease of this resource. It stays
   * known after the end.
   */
  long token();

  /**
   * Extends this lease now: on return it is valid for {@code lease} from the moment of the call.
   * For a lease of fixed length this moves its end; for a renewed one it only brings a renewal
   * forward. Blocks for one round trip; interrupts do not end the wait and are preserved.
   *
   * @param lease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if the lease is outside that range
   * @throws LeaseLostException if this lease is lost
   * @throws IllegalStateException if it was released
   * @throws StoreUnavailableException if the store did not answer; the lease keeps its old end
   */
  void renew(Duration lease);

  /**
   * Gives the resource back. Does not wait for the store: for some milliseconds another client that
   * only tries may still find it taken. To learn when it is free, use {@link #releaseAsync}, or a
   * lock {@linkplain LockOptions#withConfirmedRelease whose releases wait for the store}. Releasing
   * again does nothing.
   *
   * @throws LeaseLostException if the lease was lost before; nobody else's lease is touched
   * @throws StoreUnavailableException if the release waits for the store and the store does not
   *     answer; the lease is released all the same
   */
  @Override
  void release();

  /**
   * As {@link #release()}, with a stage that completes when the store has confirmed the release.
   * From then on the resource is free for others, or the next waiter has it. If the lock is handed
   * off to a waiting thread of this client, or this client keeps it idle, nothing is released at
   * the store and the stage is already complete.
   *
   * @return a stage that completes on the client's executor when the store has confirmed the
   *     release, or when the lease must have ended there by itself. It fails with {@link
   *     LeaseLostException} if the lease was lost before and {@link #release()} would have thrown
   *     it, and with {@link LockkeeperClosedException} if the client is closed before the store
   *     confirms
   */
  @Override
  CompletionStage<Void> releaseAsync();

  /**
   * Gives the lock back for good and keeps it closed for a while: for {@code rest} from now nobody
   * gets it, also no other thread of this client, and then the next in line does. For work that is
   * to be done at most once in a period, however short it was.
   *
   * <p>On return the store knows of it. From then on it outlasts this client, closed or crashed.
   * Nobody can make it longer; {@link DistributedLock#forceUnlock} and {@link
   * LockkeeperAdmin#forceRelease} end it. Until then {@link DistributedLock#isLocked} says true and
   * {@linkplain HolderReport#resting inspections} show it. Releasing again does nothing.
   *
   * <p>Locks only: what has several holders, as read-write locks and semaphores, cannot rest.
   *
   * @param rest up to 24 hours; zero for a release that is confirmed
   * @throws IllegalArgumentException if the rest is negative or longer
   * @throws LeaseLostException if the lease was lost before; nobody else's lease is touched
   * @throws StoreUnavailableException if the store does not answer: the lease is released, and
   *     whether the lock rests is not known
   * @throws UnsupportedOperationException if this is not the lease of a lock
   */
  void releaseAfter(Duration rest);

  /**
   * As {@link #releaseAfter}, without waiting for the store.
   *
   * @return a stage that completes on the client's executor when the store knows of it; it fails
   *     with what {@link #releaseAfter} would have thrown, and with {@link
   *     LockkeeperClosedException} if the client is closed before the store answers
   */
  CompletionStage<Void> releaseAfterAsync(Duration rest);
}
