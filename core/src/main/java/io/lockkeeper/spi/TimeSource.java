package io.lockkeeper.spi;

/** A clock that measures intervals. */
@FunctionalInterface
public interface TimeSource {

  /**
   * Returns nanoseconds since some fixed instant. Never goes back, is not moved by changes of the
   * wall clock, and counts the time during which the machine was suspended.
   */
  long nanos();

  /**
   * Returns how often, up to the last reading, there was reason to doubt that all time was counted.
   * When the number has grown, the engine asks the store about everything that is held.
   */
  default long doubts() {
    return 0;
  }
}
