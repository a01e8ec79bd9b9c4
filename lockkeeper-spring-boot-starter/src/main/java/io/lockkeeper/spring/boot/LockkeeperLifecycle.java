package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the client at its time: when the web server has finished its requests and the schedulers
 * their tasks, and while the application's connections to its stores are still there.
 */
final class LockkeeperLifecycle implements SmartLifecycle {

  /**
   * Stopped after the web server, whose phases are down to {@code DEFAULT_PHASE - 2048}, and before
   * the connections to stores, whose phase is 0.
   */
  static final int PHASE = DEFAULT_PHASE - 4096;

  private final Lockkeeper keeper;
  private volatile boolean running = true;

  LockkeeperLifecycle(Lockkeeper keeper) {
    this.keeper = keeper;
  }

  @Override
  public void start() {
    // It is connected as soon as it is there.
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

  @Override
  public int getPhase() {
    return PHASE;
  }
}
