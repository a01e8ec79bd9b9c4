package io.lockkeeper.redis;

import io.netty.util.Timer;
import java.util.List;

/**
 * The connections of one client to the servers. Calls on one resource reach the server in the order
 * in which they are sent, as long as the connection holds.
 */
interface Link extends AutoCloseable {

  /** Sends a call, or breaks it at once if there is no connection. Does not block. */
  void send(Call<?> call);

  /** Sends commands that read, one directly behind the other. Not in a cluster. */
  void send(Reads reads);

  /**
   * Loads the scripts into the server of this call, unless that was done since the call was sent.
   *
   * <p>All of them at once: if it knew one and not another, calls on one resource could overtake
   * each other.
   */
  void loadScripts(Call<?> call, long nowNanos);

  /** Closes the connections that these calls went over; the driver makes new ones. */
  void reconnect(List<Call<?>> calls);

  /** Learns anew which server has which slot: one has said that it has not those of a call. */
  void slotsMoved();

  /**
   * Sends a call to the server that another one has named in the place of an answer; returns
   * whether it did.
   */
  boolean redirect(Call<?> call, String redirection);

  /** Divides resources, given by their keys, into groups that one script may handle together. */
  List<int[]> groups(List<byte[]> keys);

  /**
   * Returns a key for each server that has data, all with this beginning: a call on it reaches that
   * server.
   */
  List<byte[]> places(String beginning);

  /** Returns whether slots may move between the servers. */
  boolean followsMoves();

  /** Tells where the servers are, without secrets. */
  String describe();

  /** Returns a timer that runs as long as the connections do. */
  Timer timer();

  /** Closes the connections, and the driver if it is this link's own. */
  @Override
  void close();
}
