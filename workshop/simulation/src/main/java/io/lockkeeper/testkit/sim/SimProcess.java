package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.TimeSource;
import java.util.SplittableRandom;

/**
 * One simulated process: a clock that drifts and may jump ahead, a scheduler, pauses, and death.
 *
 * <p>It stumbles in four ways. A pause stops the process and nothing else. A suspension of its
 * machine stops its timers too, which go on afterwards with what was left of them, while its clock
 * counts the time. And the clock alone may jump ahead, as where a changed wall clock is taken for a
 * suspension. It never goes back. Or the clock only doubts that it has counted all time.
 */
final class SimProcess implements TimeSource {

  private final SimWorld world;
  private final String name;
  private final double rate;
  private long pausedUntilNanos;
  private long steadyNanos;
  private boolean crashed;

  /** How far the clock has jumped ahead of the timers, in all. */
  private long jumpedNanos;

  private long doubts;

  /** Until when a callback may still be on its way. */
  private long callbacksUntilNanos;

  /** How long the timers stood still, in all. */
  private long suspendedNanos;

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
    return (long) (world.nowNanos() * rate) + 1 + jumpedNanos;
  }

  @Override
  public long doubts() {
    return doubts;
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

  void pause(long forNanos) {
    pausedUntilNanos = Math.max(pausedUntilNanos, world.nowNanos() + forNanos);
  }

  /** Returns a clock that does not jump, and stands still while the machine is suspended. */
  long steadyNanos() {
    steadyNanos = Math.max(steadyNanos, (long) (world.nowNanos() * rate) + 1 - suspendedNanos);
    return steadyNanos;
  }

  /** Does one of the things after which a process finds that time has passed. */
  void stumble(SplittableRandom random, long maxNanos) {
    long nanos = random.nextLong(maxNanos);
    int kind = random.nextInt(5);
    if (kind == 0) {
      world.trace(() -> name + "'s machine is suspended for " + nanos / 1_000 + " us");
      suspendedNanos += nanos;
      pause(nanos);
    } else if (kind == 1) {
      world.trace(() -> name + "'s clock jumps by " + nanos / 1_000 + " us");
      jumpedNanos += nanos;
    } else if (kind == 2) {
      world.trace(() -> name + "'s clock has doubts");
      doubts++;
    } else {
      world.trace(() -> name + " pauses for " + nanos / 1_000 + " us");
      pause(nanos);
    }
  }

  /** Returns how much later, at most, a timer may go off than the clock says. */
  long timersLateNanos() {
    return jumpedNanos + suspendedNanos;
  }

  /** Runs something in this process soon. */
  void execute(Runnable task) {
    world.at(world.nowNanos(), this, task);
  }

  /** Runs a callback so much later. */
  void executeLate(Runnable task, long nanos) {
    long atNanos = world.nowNanos() + nanos;
    callbacksUntilNanos = Math.max(callbacksUntilNanos, atNanos);
    world.at(atNanos, this, task);
  }

  /** Returns until when this process has an excuse for not having heard of something. */
  long deafUntilNanos() {
    return Math.max(pausedUntilNanos, callbacksUntilNanos);
  }

  /** Runs something in this process later, by the process's own timers. */
  void later(Runnable task, long delayNanos) {
    plan(task, world.nowNanos() + (long) (delayNanos / rate) + 1, suspendedNanos);
  }

  private void plan(Runnable task, long dueNanos, long suspendedBefore) {
    world.at(
        dueNanos,
        this,
        () -> {
          long stoodStill = suspendedNanos - suspendedBefore;
          if (stoodStill > 0 && dueNanos + stoodStill > world.nowNanos()) {
            plan(task, dueNanos + stoodStill, suspendedNanos);
          } else {
            task.run();
          }
        });
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
