package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the client at its time: when whatever takes locks has ended (requests, schedulers,
 * listeners, pollers), and while the application's connections to its stores are still there.
 *
 * <p>A closed client stays closed, and beans have locks of it, so a stopped context cannot be
 * started again.
 */
final class LockkeeperLifecycle implements SmartLifecycle {

  /**
   * Little more than 0, the phase of the connections to stores, which are stopped afterwards:
   * whatever has a phase above this one may still use its locks while it stops.
   */
  static final int PHASE = 1024;

  private final Lockkeeper keeper;
  private volatile boolean running = true;

  LockkeeperLifecycle(Lockkeeper keeper) {
    this.keeper = keeper;
  }

  /** Fails if the client was closed: until then it is connected as soon as it is there. */
  @Override
  public void start() {
    if (!running) {
      throw new IllegalStateException(
          "the Lockkeeper client was closed when this application context was stopped, and does not"
              + " open again: make a new context instead of starting this one");
    }
  }

  @Override
  public void stop() {
    running = false;
    keeper.close();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /**
   * Says no to the pauses of Spring Framework 7, which has them for contexts in the cache of tests:
   * leases are renewed meanwhile. On 6.2 this overrides nothing.
   */
  @SuppressWarnings("MissingOverride")
  public boolean isPauseable() {
    return false;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
