package io.lockkeeper.engine.runtime;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs user code on a client's own threads: few, with one queue. It refuses nothing. The first
 * thread is made at the start and stays until the end, so that what is to run does so even when the
 * process cannot make a thread any more; the others are made when all are busy, and leave when they
 * have been idle for a while.
 */
final class CallbackThreads implements Executor {

  static final int MOST = 4;

  private static final long IDLE_NANOS = 5_000_000_000L;

  private final ThreadFactory factory;
  private final BiConsumer<String, Throwable> failures;

  /** Guards the fields below. No task runs under it. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition work = lock.newCondition();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private int threads;

  /** How many threads wait for a task, those that are just being woken included. */
  private int idle;

  private boolean closed;

  /**
   * Starts the first thread.
   *
   * @param failures takes what a task throws; throws nothing itself
   */
  CallbackThreads(ThreadFactory factory, BiConsumer<String, Throwable> failures) {
    this.factory = factory;
    this.failures = failures;
    lock.lock();
    try {
      grow();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void execute(Runnable task) {
    lock.lock();
    try {
      tasks.add(task);
      if (idle >= tasks.size()) {
        work.signal();
      } else if (threads < MOST) {
        growIfPossible();
      }
    } finally {
      lock.unlock();
    }
  }

  private void growIfPossible() {
    try {
      grow();
    } catch (Throwable failure) { // out of memory, or of threads
      if (threads == 0) { // after the end
        tasks.removeLast();
        throw failure;
      }
    }
  }

  private void grow() {
    factory.newThread(this::work).start();
    threads++; // the thread looks at it under the lock, which is held here
  }

  /** Ends the threads when they have nothing left to run. */
  void close() {
    lock.lock();
    try {
      closed = true;
      work.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    for (Runnable task = next(); task != null; task = next()) {
      try {
        task.run();
      } catch (Throwable failure) { // an error too: the next task is another's
        failures.accept("a callback failed", failure);
      }
    }
  }

  /**
   * Waits for a task; returns null if the thread is to end. The last one waits for as long as it
   * takes.
   */
  private @Nullable Runnable next() {
    lock.lock();
    idle++;
    try {
      long left = IDLE_NANOS;
      while (tasks.isEmpty()) {
        if (closed || (left <= 0 && threads > 1)) {
          threads--;
          return null;
        }
        try {
          if (threads > 1) {
            left = work.awaitNanos(left);
          } else {
            work.await();
          }
        } catch (InterruptedException e) {
          left = IDLE_NANOS; // meant for a task; nobody interrupts a thread that has nothing to do
        }
      }
      return tasks.poll();
    } finally {
      idle--;
      lock.unlock();
    }
  }
}
