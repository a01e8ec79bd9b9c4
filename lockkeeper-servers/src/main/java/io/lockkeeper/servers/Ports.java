package io.lockkeeper.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports on the loopback interface.
 *
 * <p>They lie below the range from which the usual systems take the source ports of outgoing
 * connections. Otherwise a client that retries the port of a stopped server could get that very
 * port as its own, and end up connected to itself.
 */
public final class Ports {

  private static final int FIRST = 12_000;
  private static final int END = 22_000;
  private static final int ATTEMPTS = 1_000;

  private Ports() {}

  /** Returns a port that was free a moment ago. */
  public static int free() {
    return freeWithCompanion(0);
  }

  /** Listens on a free port of the loopback interface. */
  public static ServerSocket listen() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        return new ServerSocket(free(), 0, InetAddress.getLoopbackAddress());
      } catch (IOException taken) {
        // by somebody else, meanwhile
      }
    }
    throw new ServerStartException("no free port from " + FIRST + " to " + (END - 1), null);
  }

  /**
   * Returns a port that was free a moment ago, and so was the port {@code distance} above it.
   *
   * @param distance at most 10,000; 0 for no second port
   */
  static int freeWithCompanion(int distance) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      if (isFree(port) && (distance == 0 || isFree(port + distance))) {
        return port;
      }
    }
    throw new ServerStartException("no free port from " + FIRST + " to " + (END - 1), null);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
