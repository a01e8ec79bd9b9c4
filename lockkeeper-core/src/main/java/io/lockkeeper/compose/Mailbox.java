package io.lockkeeper.compose;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks on a client's executor, one at a time and in the order in which they were put in.
 * Putting in runs nothing, so it can be done under a lock; who has put something in says so
 * afterwards without it.
 */
final class Mailbox {

  private final Host host;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** How often somebody has said that there is something; who finds 0 has it done. */
  private final AtomicInteger calls = new AtomicInteger();

  Mailbox(Host host) {
    this.host = host;
  }

  void put(Runnable task) {
    tasks.add(task);
  }

  /** Has what was put in run. */
  void call() {
    if (calls.getAndIncrement() == 0) {
      host.execute(this::empty);
    }
  }

  private void empty() {
    int seen = 1;
    do {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        run(task);
      }
      seen = calls.addAndGet(-seen);
    } while (seen > 0);
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException failure) {
      host.reportFailure("a callback failed", failure);
    }
  }
}
