package io.lockkeeper.engine.runtime;

import io.lockkeeper.spi.Probe;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.BiConsumer;

/** Logs what goes wrong and goes no further. */
final class FailureLog {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private final Probe probe;

  FailureLog(Probe probe) {
    this.probe = probe;
  }

  /** Logs that something failed. Throws nothing itself. */
  void report(String what, Throwable failure) {
    try {
      LOG.log(Level.WARNING, what, failure);
      probe.failed(what, failure);
    } catch (Throwable unloggable) { // out of memory, for one
      if (unloggable != failure) {
        failure.addSuppressed(unloggable);
      }
    }
  }

  /**
   * Runs a task that concerns one name; what it throws goes no further.
   *
   * @param failures takes what the task throws; throws nothing itself
   */
  static void guarded(BiConsumer<String, Throwable> failures, String name, Runnable task) {
    try {
      task.run();
    } catch (Throwable failure) { // an error too: what comes next concerns others
      failures.accept("'" + name + "': an internal step failed", failure);
    }
  }
}
