package io.lockkeeper.engine.runtime;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Runs tasks one at a time, in the order in which they were added: what a state has decided and the
 * world has not seen yet, or what a listener has still to hear. Adding runs nothing and so can be
 * done under a lock, whose order is then that of the tasks.
 *
 * <p>Whatever a task throws is reported, and the next one runs.
 */
public final class SerialExecutor {

  private final String owner;
  private final Executor runner;
  private final BiConsumer<String, Throwable> failures;
  private final ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();

  /** How many times somebody has asked for the queue to be emptied; who finds 0 has it done. */
  private final AtomicInteger drainRequests = new AtomicInteger();

  /**
   * Creates an empty one.
   *
   * @param owner whose tasks they are, for the log
   * @param runner where the queue is emptied; {@code Runnable::run} for the thread that asks
   * @param failures takes what a task throws; throws nothing itself
   */
  public SerialExecutor(String owner, Executor runner, BiConsumer<String, Throwable> failures) {
    this.owner = owner;
    this.runner = runner;
    this.failures = failures;
  }

  /** Adds a task that runs when somebody drains. */
  public void add(Runnable task) {
    queue.add(task);
  }

  /** Runs what was added, unless somebody is at it. */
  public void drain() {
    if (queue.isEmpty() || drainRequests.getAndIncrement() != 0) {
      return;
    }
    try {
      runner.execute(this::empty);
    } catch (Throwable refused) { // the next task tries again
      drainRequests.set(0);
      failures.accept(owner + ": tasks have to wait", refused);
    }
  }

  private void empty() {
    int seen = 1;
    do {
      for (Runnable task = queue.poll(); task != null; task = queue.poll()) {
        run(task);
      }
      seen = drainRequests.addAndGet(-seen);
    } while (seen != 0);
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable failure) { // an error too: the next task is another's
      failures.accept(owner + ": a task failed", failure);
    }
  }
}
