package io.lockkeeper.bench.worker;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.LockClient;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many threads that wait for one lock held elsewhere, and what they weigh: heap and threads while
 * they wait for the lock, less what the same threads took while they waited at a latch.
 */
final class Crowd {

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long WAIT_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int COLLECTIONS = 4;

  private final CountDownLatch gate = new CountDownLatch(1);
  private final AtomicInteger served = new AtomicInteger();
  private final Problems problems = new Problems();
  private final List<Thread> threads = new ArrayList<>();

  private final int threadsAtStart;

  /**
   * Starts the threads; they wait at a latch.
   *
   * @param threadsAtStart how many threads the process had before it opened the client
   */
  Crowd(LockClient client, Contender contender, String name, int size, int threadsAtStart) {
    this.threadsAtStart = threadsAtStart;
    for (int i = 0; i < size; i++) {
      Thread thread = new Thread(() -> lockOnce(client, contender, name), "crowd-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  private void lockOnce(LockClient client, Contender contender, String name) {
    try {
      gate.await();
      var lock = client.lock(contender, name);
      lock.lock();
      lock.unlock();
      served.incrementAndGet();
    } catch (InterruptedException | RuntimeException e) {
      problems.add(e);
    }
  }

  static boolean isWaiting(Thread thread) {
    return switch (thread.getState()) {
      case WAITING, TIMED_WAITING -> true;
      case NEW, RUNNABLE, BLOCKED, TERMINATED -> false;
    };
  }

  /** Opens the gate and weighs the threads once they wait for the lock. */
  Reply.Crowded gather() {
    awaitAllWaiting();
    long heapBefore = usedHeapBytes();
    gate.countDown();
    Sleep.nanos(SETTLE_NANOS);
    awaitAllWaiting();
    Sleep.nanos(SETTLE_NANOS);
    long heapBytes = usedHeapBytes() - heapBefore;
    int waiting = (int) threads.stream().filter(Thread::isAlive).count();
    int clientThreads = liveThreads() - waiting - threadsAtStart;
    return new Reply.Crowded(heapBytes, clientThreads, waiting);
  }

  /** Waits until every thread has had the lock, or the limit has passed. */
  Reply.Drained drain(long limitMillis) throws InterruptedException {
    long start = System.nanoTime();
    long deadline = start + TimeUnit.MILLISECONDS.toNanos(limitMillis);
    for (Thread thread : threads) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (leftMillis > 0) {
        thread.join(leftMillis);
      }
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    return new Reply.Drained(millis, served.get(), problems.list());
  }

  private void awaitAllWaiting() {
    long deadline = System.nanoTime() + WAIT_LIMIT_NANOS;
    // Seen waiting once is enough: the threads of a polling lock never wait all at the same time.
    List<Thread> unseen = new ArrayList<>(threads);
    while (!unseen.isEmpty() && System.nanoTime() - deadline < 0) {
      unseen.removeIf(thread -> isWaiting(thread) || !thread.isAlive());
      Sleep.nanos(POLL_NANOS);
    }
  }

  static int liveThreads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  @SuppressWarnings("SystemGc") // nothing else makes the number mean something
  static long usedHeapBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Sleep.nanos(POLL_NANOS);
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
