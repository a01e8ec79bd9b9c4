package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.TimeSource;

/** One simulated process: a clock that drifts, a scheduler, pauses, and death. */
final class SimProcess implements TimeSource {

  private final SimWorld world;
  private final String name;
  private final double rate;
  private long pausedUntilNanos;
  private boolean crashed;

  /**
   * Creates a process.
   *
   * @param name for traces
   * @param rate how fast its clock runs; 1 is true
   */
  SimProcess(SimWorld world, String name, double rate) {
    this.world = world;
    this.name = name;
    this.rate = rate;
  }

  @Override
  public long nanos() {
    return (long) (world.nowNanos() * rate) + 1;
  }

  boolean isCrashed() {
    return crashed;
  }

  void crash() {
    crashed = true;
  }

  long pausedUntilNanos() {
    return pausedUntilNanos;
  }

  boolean isPaused() {
    return pausedUntilNanos > world.nowNanos();
  }

  void pause(long forNanos) {
    pausedUntilNanos = Math.max(pausedUntilNanos, world.nowNanos() + forNanos);
  }

  /** Runs something in this process soon. */
  void execute(Runnable task) {
    world.at(world.nowNanos(), this, task);
  }

  /** Runs something in this process later, by the process's own clock. */
  void later(Runnable task, long delayNanos) {
    world.at(world.nowNanos() + (long) (delayNanos / rate) + 1, this, task);
  }

  Scheduler scheduler() {
    return new Scheduler() {
      @Override
      public Cancellable schedule(Runnable task, long delayNanos) {
        boolean[] cancelled = new boolean[1];
        later(
            () -> {
              if (!cancelled[0]) {
                task.run();
              }
            },
            delayNanos);
        return () -> cancelled[0] = true;
      }

      @Override
      public void close() {
        // events of a closed client find nothing to do
      }
    };
  }

  @Override
  public String toString() {
    return name;
  }
}
