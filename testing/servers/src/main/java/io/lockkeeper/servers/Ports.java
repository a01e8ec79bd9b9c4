package io.lockkeeper.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Finds free ports on the loopback interface.
 *
 * <p>They lie below the range from which the usual systems take the source ports of outgoing
 * connections. Otherwise a client that retries the port of a stopped server could get that very
 * port as its own, and end up connected to itself.
 *
 * <p>A port is not given twice for a long time, in one JVM: a server that was killed needs its own
 * again, and so do those who want to connect to it.
 */
public final class Ports {

  private static final int FIRST = 12_000;
  private static final int END = 22_000;
  private static final int ATTEMPTS = 1_000;
  private static final int START_ATTEMPTS = 5;

  /** How many ports are given before the first of them may come again. */
  private static final int MOST_GIVEN = (END - FIRST) / 2;

  /** Those given so far. */
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

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
      if (GIVEN.add(port)) {
        if (GIVEN.size() > MOST_GIVEN) {
          GIVEN.clear();
        }
        if (isFree(port) && (distance == 0 || isFree(port + distance))) {
          return port;
        }
      }
    }
    throw new ServerStartException("no free port from " + FIRST + " to " + (END - 1), null);
  }

  /**
   * Starts a server, or several, on ports that were free a moment ago, and on others if another
   * program has taken those meanwhile.
   *
   * @param maker prepares it with free ports
   * @param starter starts it and waits until it is ready
   * @throws ServerStartException if it does not start; what was prepared is closed
   */
  static <S> S start(
      Supplier<S> maker, Consumer<S> starter, Predicate<S> wasPortTaken, Consumer<S> closer) {
    for (int attempt = 1; ; attempt++) {
      S server = maker.get();
      try {
        starter.accept(server);
        return server;
      } catch (ServerStartException e) {
        boolean otherPortMayDo = wasPortTaken.test(server);
        closer.accept(server);
        if (!otherPortMayDo || attempt == START_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** As above, of one server. */
  static <S extends ChildServer> S start(Supplier<S> maker) {
    return start(maker, ChildServer::begin, ChildServer::wasPortTaken, ChildServer::close);
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
