package io.lockkeeper.compose;

import io.lockkeeper.LeaderListener;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.Term;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Lets a thread wait for its election, and interrupts its work when the term ends. */
final class LeaderRun implements LeaderListener {

  private final CompletableFuture<Term> elected = new CompletableFuture<>();
  private final ReentrantLock mutex = new ReentrantLock();

  /** The thread that works; null before and after. Guarded by the mutex. */
  private @Nullable Thread worker;

  /** Whether the term has ended. Guarded by the mutex. */
  private boolean isOver;

  /** Whether the work was interrupted for that. Guarded by the mutex. */
  private boolean wasInterrupted;

  @Override
  public void elected(Term term) {
    elected.complete(term);
  }

  @Override
  public void lost(Term term) {
    mutex.lock();
    try {
      isOver = true;
      if (worker != null) {
        wasInterrupted = true;
        worker.interrupt();
      }
    } finally {
      mutex.unlock();
    }
  }

  /** Ends the wait: the candidate was closed. Does nothing after its election. */
  void closed(String message) {
    elected.completeExceptionally(new LockkeeperClosedException(message));
  }

  Term await() throws InterruptedException {
    try {
      return elected.get();
    } catch (ExecutionException closed) {
      throw (LockkeeperClosedException) closed.getCause();
    }
  }

  /** Marks the current thread as the one that works; returns false if the term has ended. */
  boolean begin() {
    mutex.lock();
    try {
      worker = isOver ? null : Thread.currentThread();
      return !isOver;
    } finally {
      mutex.unlock();
    }
  }

  /** Ends what {@link #begin} began: from now on the thread is not interrupted. */
  void end() {
    mutex.lock();
    try {
      worker = null;
      if (wasInterrupted) {
        boolean unused = Thread.interrupted(); // it was about the work, which is over
      }
    } finally {
      mutex.unlock();
    }
  }
}
