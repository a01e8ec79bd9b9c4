package io.lockkeeper.jdbc;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.ResourceId;

/**
 * Something that a client should hear, as {@link io.lockkeeper.spi.NotificationListener} says it.
 */
sealed interface Notification {

  /** Returns the client that it is for. */
  String client();

  /** Tells it. */
  void deliver(NotificationListener listener);

  /** A claim was granted. */
  record Granted(String client, ResourceId resource, Grant grant) implements Notification {
    @Override
    public void deliver(NotificationListener listener) {
      listener.granted(resource, grant);
    }
  }

  /** Another client waits for what this one passes on. */
  record Contended(String client, ResourceId resource) implements Notification {
    @Override
    public void deliver(NotificationListener listener) {
      listener.contended(resource);
    }
  }

  /** A grant was taken away. */
  record Revoked(String client, ResourceId resource) implements Notification {
    @Override
    public void deliver(NotificationListener listener) {
      listener.revoked(resource);
    }
  }

  /** A cell that the client watches was changed. */
  record Changed(String client, CellId cell) implements Notification {
    @Override
    public void deliver(NotificationListener listener) {
      listener.cellChanged(cell);
    }
  }
}
