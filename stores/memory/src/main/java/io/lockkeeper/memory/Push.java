package io.lockkeeper.memory;

import io.lockkeeper.spi.ResourceId;
import org.jspecify.annotations.Nullable;

/**
 * A push from the server to one client.
 *
 * @param clientId whose it is
 * @param kind what it says
 * @param resource the resource it is about; null for a cell and for {@link Kind#RECONNECTED}
 */
public record Push(String clientId, Kind kind, @Nullable ResourceId resource) {

  /** The content of a notification. */
  public enum Kind {
    /** Claims of this client were granted. */
    GRANTED,
    /** Another client waits for what this one holds. */
    CONTENDED,
    /** This client's grant was taken away. */
    REVOKED,
    /** A cell that this client watches was changed. */
    CELL_CHANGED,
    /** Notifications may have been missed. */
    RECONNECTED
  }
}
