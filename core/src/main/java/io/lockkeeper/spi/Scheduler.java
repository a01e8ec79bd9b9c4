package io.lockkeeper.spi;

/** Runs tasks later. */
public interface Scheduler extends AutoCloseable {

  /** Runs {@code task} once, {@code delayNanos} from now. The task is short and never blocks. */
  Cancellable schedule(Runnable task, long delayNanos);

  /** Stops the scheduler: no task begins any more. */
  @Override
  void close();

  /** A scheduled task that can be cancelled. */
  @FunctionalInterface
  interface Cancellable {

    /** Cancels the task if it has not begun. */
    void cancel();
  }
}
