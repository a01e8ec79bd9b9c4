package io.lockkeeper.bench.locks;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * One lock of one contender, reduced to the two calls that are measured.
 *
 * @param acquisition waits until the lock is held by the current thread
 */
public record ContestedLock(Step acquisition, Step release) {

  /** What a library does, with its own exceptions. */
  interface Step {
    void run() throws Exception;
  }

  static ContestedLock of(Lock lock) {
    return new ContestedLock(lock::lock, lock::unlock);
  }

  /**
   * Returns what is done and leaves nothing to give back: to lock is to do it. The increment of a
   * counter, the life of a latch.
   */
  static ContestedLock ofDeed(Step deed) {
    return new ContestedLock(deed, () -> {});
  }

  /** What gives a permit back. */
  interface Release<P> {
    void accept(P permit) throws Exception;
  }

  /**
   * Returns a lock whose holder has something, such as a permit. Each thread has an object of its
   * own, which keeps what was acquired until that is given back.
   */
  static <P> ContestedLock ofPermit(Callable<P> acquisition, Release<P> release) {
    AtomicReference<@Nullable P> held = new AtomicReference<>();
    return new ContestedLock(
        () -> held.set(acquisition.call()),
        () -> release.accept(Objects.requireNonNull(held.getAndSet(null), "nothing is held")));
  }

  /** Waits until the lock is held by the current thread. */
  public void lock() {
    run(acquisition);
  }

  public void unlock() {
    run(release);
  }

  /** Does something, which should not be interrupted. */
  static void run(Step step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while waiting");
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
