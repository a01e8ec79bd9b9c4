package io.lockkeeper;

/**
 * Receives the events of this client's leases: the source for metrics, logs and traces.
 *
 * <p>Called on the client's executor, one event at a time and in the order in which the client saw
 * them, without any lock held; it may call back into the client. What it throws is logged through
 * {@link System.Logger} and otherwise ignored. A slow listener delays later events, never the
 * locks.
 */
@FunctionalInterface
public interface LockListener {

  /** Called for each event. */
  void onEvent(LockEvent event);
}
