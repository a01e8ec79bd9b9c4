package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.fault.TcpProxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/**
 * The faults that the nemesis injects. Each begins, lasts for a while, and ends. Faults of servers
 * differ from store to store: {@link StoreUnderTest#can}.
 */
enum Fault {
  /** Kills the server, and starts it again with its data. */
  KILL_SERVER,
  /** Kills the server, and starts it again without its data. */
  WIPE_SERVER,
  /** Stops the server without ending it. */
  FREEZE_SERVER,
  /** Kills a server that follows another, and starts it again. */
  KILL_FOLLOWER,
  /** Stops a server of several without ending it: the one that a worker is connected to. */
  SILENT_SERVER,
  /** Cuts the links of one server to the others, in one direction or both; clients reach it. */
  PARTITION,
  /** Has the servers forget what was before, so that watches that are behind must read anew. */
  COMPACT,
  /** Ends all leases that the servers themselves keep for clients. */
  REVOKE_LEASES,
  /** Asks a replica to take over from a master that is well. */
  FAIL_OVER,
  /** Stops the replicas for a while, and then kills the master, so that one of them takes over. */
  STALE_FAIL_OVER,
  /**
   * Kills the master when the clocks of those that follow it are ahead or behind, by less than
   * requests are remembered, so that one with another clock takes over.
   */
  SKEWED_FAIL_OVER,
  /** The same by minutes. A change whose answer was lost can then be made twice. */
  FAR_SKEWED_FAIL_OVER,
  /** Has a server take no changes while it keeps its connections, as a former primary does. */
  READ_ONLY,
  /**
   * Changes the default search path to a schema without tables, or with others, and ends all
   * connections. Clients stay with the tables that they have found, so that this waits for all to
   * have found them; those that come later are given their schema.
   */
  SEARCH_PATH,
  /** Kills the pooler before the server, and starts it again. */
  KILL_POOLER,
  /** Has the pooler keep all clients waiting. */
  PAUSE_POOLER,
  /**
   * Freezes all workers but one, and kills that one and the server; then the server comes back
   * empty, and a new worker is the first to reach it. The others go on when it has got something;
   * or, if the server asks for them, when it has reached the server.
   */
  YOUNG_SERVER,
  /** Kills a worker, and starts another. */
  KILL_CLIENT,
  /** Stops a worker without ending it, for less or more than a lease. */
  FREEZE_CLIENT,
  /** Closes a worker's connections in good order. */
  CUT,
  /** Breaks a worker's connections, in the middle of whatever is on its way. */
  RESET,
  /** Breaks them, and refuses new ones. */
  REFUSE,
  /** Swallows what goes in one direction, or in both, without a sign. */
  HALF_OPEN,
  /** Swallows all between a worker and the server that it is connected to; it can reach others. */
  SILENT_LINK,
  /** Drops what the server sends by itself, while replies pass. */
  LOST_PUSH,
  /** Breaks a connection in place of one of the next replies. */
  LOST_REPLY,
  /** Has everything arrive later. */
  DELAY,
  /** Has some requests rest for a moment, so that those of others get between them. */
  STUTTER,
  /** Has requests for lists rest for a moment. */
  SLOW_LIST,
  /** Has reads rest for a moment. */
  SLOW_READ,
  /** Has changes rest for a moment. */
  SLOW_WRITE;

  /** What can be done to the network before any server. */
  static final Set<Fault> OF_NETWORK = EnumSet.of(CUT, RESET, REFUSE, HALF_OPEN, DELAY, STUTTER);

  /** After these another server may have taken over, if there is one. */
  static final Set<Fault> FAILOVERS =
      EnumSet.of(
          KILL_SERVER,
          FREEZE_SERVER,
          FAIL_OVER,
          STALE_FAIL_OVER,
          SKEWED_FAIL_OVER,
          FAR_SKEWED_FAIL_OVER);

  private static final int MOST_REPLIES = 50;
  private static final int LONGEST_MOMENT_MILLIS = 12;

  void begin(Workers crew, int victim, Random random) {
    Network network = crew.network(victim);
    switch (this) {
      case SEARCH_PATH -> {
        if (crew.haveAllBegun()) {
          crew.stage().way(this).begin().accept(random, network);
        }
      }
      case YOUNG_SERVER -> {
        crew.others(victim).forEach(it -> it.freeze(true));
        crew.kill(victim);
        crew.stage().way(this).begin().accept(random, network);
        crew.replace(victim); // tries to connect from now on
      }
      case KILL_CLIENT -> crew.kill(victim);
      case FREEZE_CLIENT -> crew.worker(victim).freeze(true);
      case CUT -> network.each(TcpProxy::cut);
      case RESET -> network.each(TcpProxy::reset);
      case REFUSE -> network.each(TcpProxy::refuse);
      case HALF_OPEN -> {
        int which = random.nextInt(3);
        if (which != 0) {
          network.each(proxy -> proxy.swallow(TcpProxy.Direction.TO_SERVER));
        }
        if (which != 1) {
          network.each(proxy -> proxy.swallow(TcpProxy.Direction.TO_CLIENT));
        }
      }
      case SILENT_LINK -> network.silence(network.server());
      case LOST_PUSH -> network.each(TcpProxy::losePushes);
      case LOST_REPLY -> {
        int number = 1 + random.nextInt(MOST_REPLIES);
        network.each(proxy -> proxy.loseReply(number));
      }
      case DELAY -> {
        Duration delay = Duration.ofMillis(5 + random.nextInt(300));
        network.each(proxy -> proxy.delay(delay));
      }
      case STUTTER -> {
        Duration moment = moment(random);
        network.each(proxy -> proxy.stutter(moment));
      }
      case SLOW_LIST -> slow(network, TcpProxy.Request.LIST, moment(random));
      case SLOW_READ -> slow(network, TcpProxy.Request.READ, moment(random));
      case SLOW_WRITE -> slow(network, TcpProxy.Request.WRITE, moment(random));
      default -> crew.stage().way(this).begin().accept(random, network);
    }
  }

  void end(Workers crew, int victim) {
    switch (this) {
      case YOUNG_SERVER -> {
        crew.stage().way(this).end().run();
        if (!crew.stage().asks) {
          crew.awaitFirst(victim);
        }
        crew.others(victim).forEach(it -> it.freeze(false));
      }
      case KILL_CLIENT -> crew.replace(victim);
      case FREEZE_CLIENT -> crew.worker(victim).freeze(false);
      case CUT, RESET -> {
        // over as soon as it was done
      }
      default -> {
        if (isOfServer()) {
          crew.stage().way(this).end().run();
        } else {
          crew.network(victim).each(TcpProxy::heal);
        }
      }
    }
  }

  /** Returns whether it concerns the server, and not one of the workers; these come last. */
  boolean isOfServer() {
    return compareTo(KILL_CLIENT) < 0;
  }

  boolean losesMemory() {
    return this == WIPE_SERVER || this == YOUNG_SERVER;
  }

  /** Returns its name on the command line. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static List<String> titles() {
    return Arrays.stream(values()).map(Fault::title).toList();
  }

  private static void slow(Network network, TcpProxy.Request kind, Duration longest) {
    network.each(proxy -> proxy.slow(kind, longest));
  }

  /** Returns about as long as a few requests take. */
  private static Duration moment(Random random) {
    return Duration.ofMillis(1 + random.nextInt(LONGEST_MOMENT_MILLIS));
  }
}
