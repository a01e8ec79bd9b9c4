package io.lockkeeper.zookeeper;

import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;

/** One connection of a session to a server. What is sent on it arrives in that order, or not. */
final class SimLine {

  final SimSession session;
  final SimReplica server;

  /** What the server has received and not answered. */
  final Queue<SimRequest> queue = new ArrayDeque<>();

  private final SimEnsemble ensemble;
  private long arrivalNanos;
  private long deliveryNanos;
  private boolean isCut;
  private boolean isClosed;

  SimLine(SimEnsemble ensemble, SimSession session, SimReplica server) {
    this.ensemble = ensemble;
    this.session = session;
    this.server = server;
  }

  /** Returns whether the server still takes it for open. */
  boolean isOpen() {
    return !isClosed;
  }

  /** Returns whether the client has given it up. */
  boolean isCut() {
    return isCut;
  }

  /**
   * The client gives it up; the server learns of that later, and perhaps of what was sent before.
   */
  void cut() {
    isCut = true;
  }

  /** The server ends it, of which the client hears. */
  void close() {
    if (!isClosed) {
      isClosed = true;
      session.later(ensemble.latencyNanos(session), () -> session.cut(this));
    }
  }

  /** Sends something to the server. */
  void send(Runnable arrives) {
    arrivalNanos = Math.max(arrivalNanos, ensemble.now() + ensemble.latencyNanos(session));
    ensemble.at(
        arrivalNanos,
        () -> {
          if (isOpen()) {
            arrives.run();
          }
        });
  }

  /** Sends something to the client, with what the server had seen by then. */
  void deliver(long zxid, Runnable news) {
    if (!isOpen()) {
      return;
    }
    deliveryNanos = Math.max(deliveryNanos, ensemble.now() + ensemble.latencyNanos(session));
    session.later(
        deliveryNanos - ensemble.now(),
        () -> {
          if (!isCut) {
            session.hears(zxid, news);
          }
        });
  }

  /** Answers the oldest request that is not answered. */
  void answer(long zxid, Runnable answer) {
    deliver(zxid, () -> session.answered(answer));
  }

  /** Tells of a change that the server has just made. */
  void tell(long zxid, EventType type, String path) {
    long told = ensemble.tellsTransactions() ? zxid : WatchedEvent.NO_ZXID;
    deliver(zxid, () -> session.happened(type, path, told));
  }

  /** Tells a session that watches a place of a change below it. */
  void tellBelow(long zxid, EventType type, String path, String place) {
    deliver(zxid, () -> session.happenedBelow(type, path, place));
  }

  /** Tells of a change that was made while the session had no watch at this server. */
  void tellMissed(long zxid, EventType type, String path) {
    deliver(zxid, () -> session.happened(type, path, WatchedEvent.NO_ZXID));
  }
}
