package io.lockkeeper.jdbc;

import io.lockkeeper.spi.NotificationListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells a client what the notifications for it say. One that cannot be read is left out, because it
 * is only a notification, and those behind it are delivered: a client of a newer version may write
 * what this one does not know.
 */
final class NotificationReader {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private final String client;
  private final AtomicBoolean warned = new AtomicBoolean();

  /**
   * Creates it.
   *
   * @param client the client that the notifications are for
   */
  NotificationReader(String client) {
    this.client = client;
  }

  /** Tells what a text says. */
  void deliver(NotificationListener listener, String text) {
    try {
      NotificationText.read(client, text).deliver(listener);
    } catch (RuntimeException | Error e) {
      Level level = warned.compareAndSet(false, true) ? Level.WARNING : Level.DEBUG;
      LOG.log(
          level, "left out a notification that this client cannot use; more are not warned of", e);
    }
  }
}
