package io.lockkeeper.spi;

/** Runs things later. */
public interface Scheduler extends AutoCloseable {

  /** Runs {@code task} once, {@code delayNanos} from now. The task is short and never blocks. */
  Cancellable schedule(Runnable task, long delayNanos);

  /** Runs nothing more. */
  @Override
  void close();

  /** Something that can be called off. */
  @FunctionalInterface
  interface Cancellable {

    /** Calls it off if it has not begun. */
    void cancel();
  }
}
