package io.lockkeeper.bench.locks;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A semaphore as a contender, one permit at a time. Each thread has an object of its own: it keeps
 * what was acquired until that is given back.
 *
 * @param <P> what stands for a permit
 */
final class Permit<P> implements ContestedLock {

  private final Acquisition<P> acquisition;
  private final Consumer<P> release;
  private @Nullable P held;

  Permit(Acquisition<P> acquisition, Consumer<P> release) {
    this.acquisition = acquisition;
    this.release = release;
  }

  /** How a permit is acquired. */
  interface Acquisition<P> {
    P acquire() throws InterruptedException;
  }

  @Override
  public void lock() {
    Waits.uninterrupted(() -> held = acquisition.acquire());
  }

  @Override
  public void unlock() {
    P permit = Objects.requireNonNull(held, "no permit is held");
    held = null;
    release.accept(permit);
  }
}
