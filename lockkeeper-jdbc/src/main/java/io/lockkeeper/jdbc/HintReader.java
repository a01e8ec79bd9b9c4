package io.lockkeeper.jdbc;

import io.lockkeeper.spi.HintListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells a client what the hints for it say. One that cannot be read is left out, because it is only
 * a hint, and those behind it are told: a client of a newer version may write what this one does
 * not know.
 */
final class HintReader {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private final String client;
  private final AtomicBoolean warned = new AtomicBoolean();

  /**
   * Creates it.
   *
   * @param client whom the hints are for
   */
  HintReader(String client) {
    this.client = client;
  }

  /** Tells what a text says. */
  void tell(HintListener listener, String text) {
    try {
      HintText.read(client, text).tell(listener);
    } catch (RuntimeException | Error e) {
      Level level = warned.compareAndSet(false, true) ? Level.WARNING : Level.DEBUG;
      LOG.log(level, "left out a hint that this client cannot use; more are not warned of", e);
    }
  }
}
