package io.lockkeeper;

/**
 * Receives the events of this client's leases, also of what no caller does: the source for metrics
 * and logs. What needs the thread of the caller, such as a trace, is observed by a {@link
 * LockObserver}.
 *
 * <p>Called on the client's executor, one event at a time and in the order in which the client saw
 * them, without any lock held; it may call back into the client. What it throws is logged through
 * {@link System.Logger} and otherwise ignored. A slow listener delays later events, never the
 * locks; one that falls 100,000 events behind misses the next, and {@link
 * LockkeeperAdmin#droppedEvents} counts them.
 */
@FunctionalInterface
public interface LockListener {

  /** Called for each event that it {@linkplain #wants wants}. */
  void onEvent(LockEvent event);

  /**
   * Returns whether it is to be called for events of a kind. Asked once for each kind, when the
   * client connects. An event that nobody wants is not even made: a listener that counts losses
   * costs an acquisition nothing if it says so. Default to all.
   *
   * @param kind the type of the events, such as {@code LockEvent.Lost.class}
   */
  default boolean wants(Class<? extends LockEvent> kind) {
    return true;
  }

  /** Called when the connection to the store has changed, in order with the events. */
  default void onConnection(Connection change) {}

  /** A change of the connection to the store. */
  enum Connection {
    /** The client is connected for the first time. */
    CONNECTED,
    /** The connection was interrupted and is back. */
    RECONNECTED
  }
}
