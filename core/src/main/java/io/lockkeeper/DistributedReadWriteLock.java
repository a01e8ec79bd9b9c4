package io.lockkeeper;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A pair of locks over all clients of one store: any number of readers, or one writer.
 *
 * <p><b>Order.</b> First come, first served between readers and writers: readers are admitted
 * together up to the next writer in the queue, so no writer starves. {@link
 * ReadWriteOptions#withReadersPreferred()} admits readers while others read.
 *
 * <p><b>Re-entry.</b> Both locks are owned by threads and re-entrant, by client, name and thread. A
 * thread that reads may read again although a writer waits; a thread that writes may also read.
 *
 * <p><b>From writing to reading.</b> A thread that takes the read lock while it holds the write
 * lock, and then unlocks the write lock, goes on as a reader without a gap: waiting readers are
 * admitted at once, writers stay out. Its token stays the same.
 *
 * <p><b>Not from reading to writing.</b> A thread that holds only the read lock and asks for the
 * write lock would wait for itself. It gets an {@link IllegalStateException} instead, or {@code
 * false} where it does not want to wait.
 *
 * <p>Each hold has a lease and a fencing token of its own: the tokens of both locks grow together,
 * and a reader that has died keeps a writer out no longer than its lease. Both locks behave as
 * {@link DistributedLock} says; {@link DistributedLock#forceUnlock()} of either revokes the
 * resource from all its holders. A {@link DistributedLock#heldLease()} covers everything that the
 * thread holds of both.
 */
public interface DistributedReadWriteLock extends ReadWriteLock {

  /** Returns the resource's name. */
  String name();

  @Override
  DistributedLock readLock();

  @Override
  DistributedLock writeLock();
}
