package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.torture.StoreUnderTest.Trait;
import io.lockkeeper.servers.fault.TcpProxy;
import io.lockkeeper.servers.net.PrivateNetwork;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/**
 * What the nemesis can do, and what a store must have for it. Each is begun, lasts for a while, and
 * is ended.
 */
enum Fault {
  /** Kills the server, and starts it again with its data. */
  KILL_SERVER(Trait.SERVER),
  /** Kills the server, and starts it again without its data. */
  WIPE_SERVER(Trait.FORGETFUL),
  /** Stops the server without ending it. */
  FREEZE_SERVER(Trait.SERVER),
  /** Kills a server that follows another, and starts it again. */
  KILL_FOLLOWER(Trait.FOLLOWERS),
  /** Stops a server of several without ending it: the one that a worker is connected to. */
  SILENT_SERVER(Trait.MEMBERS),
  /** Cuts the links of one server to the others, in one direction or both; clients reach it. */
  PARTITION(Trait.LINKS),
  /** Has the servers forget what was before, so that watches that are behind must read anew. */
  COMPACT(Trait.LEASES),
  /** Ends all leases that the servers themselves keep for clients. */
  REVOKE_LEASES(Trait.LEASES),
  /** Asks a replica to take over from a master that is well. */
  FAIL_OVER(Trait.REPLICAS),
  /** Stops the replicas for a while, and then kills the master, so that one of them takes over. */
  STALE_FAIL_OVER(Trait.REPLICAS),
  /**
   * Kills the master when the clocks of those that follow it are ahead or behind, by less than
   * requests are remembered, so that one with another clock takes over.
   */
  SKEWED_FAIL_OVER(Trait.CLOCKS),
  /** The same by minutes. A change whose answer was lost can then be made twice. */
  FAR_SKEWED_FAIL_OVER(Trait.CLOCKS),
  /** Has a server take no changes while it keeps its connections, as a former primary does. */
  READ_ONLY(Trait.READ_ONLY),
  /**
   * Changes the default search path to a schema without tables, or with others, and ends all
   * connections. Clients stay with the tables that they have found, so that this waits for all to
   * have found them; those that come later are given their schema.
   */
  SEARCH_PATH(Trait.SCHEMAS),
  /** Kills the pooler before the server, and starts it again. */
  KILL_POOLER(Trait.POOLER),
  /** Has the pooler keep all clients waiting. */
  PAUSE_POOLER(Trait.POOLER),
  /**
   * Freezes all workers but one, and kills that one and the server; then the server comes back
   * empty, and a new worker is the first to reach it. The others go on when it has got something;
   * or, if the server asks for them, when it has reached the server.
   */
  YOUNG_SERVER(Trait.FORGETFUL),
  /** Kills a worker, and starts another. */
  KILL_CLIENT(Trait.CLIENTS),
  /** Stops a worker without ending it, for less or more than a lease. */
  FREEZE_CLIENT(Trait.CLIENTS),
  /** Closes a worker's connections in good order. */
  CUT(Trait.NETWORK),
  /** Breaks a worker's connections, in the middle of whatever is on its way. */
  RESET(Trait.NETWORK),
  /** Breaks them, and refuses new ones. */
  REFUSE(Trait.NETWORK),
  /** Swallows what goes in one direction, or in both, without a sign. */
  HALF_OPEN(Trait.NETWORK),
  /** Swallows all between a worker and the server that it is connected to; it can reach others. */
  SILENT_LINK(Trait.MEMBERS),
  /** Drops what the server sends by itself, while replies pass. */
  LOST_PUSH(Trait.PUSHES),
  /** Breaks a connection in place of one of the next replies. */
  LOST_REPLY(Trait.PUSHES),
  /** Has everything arrive later. */
  DELAY(Trait.NETWORK),
  /** Has some requests rest for a moment, so that those of others get between them. */
  STUTTER(Trait.NETWORK),
  /** Has requests for lists rest for a moment. */
  SLOW_LIST(Trait.REQUESTS),
  /** Has reads rest for a moment. */
  SLOW_READ(Trait.REQUESTS),
  /** Has changes rest for a moment. */
  SLOW_WRITE(Trait.REQUESTS);

  private static final int MOST_REPLIES = 50;
  private static final int LONGEST_MOMENT_MILLIS = 12;

  private final Trait needs;

  Fault(Trait needs) {
    this.needs = needs;
  }

  void begin(Workers crew, int victim, Random random) {
    Network network = crew.network(victim);
    switch (this) {
      case KILL_SERVER, WIPE_SERVER -> control(crew).kill(random);
      case FREEZE_SERVER -> control(crew).freeze(random);
      case KILL_FOLLOWER -> control(crew).killFollower(random);
      case SILENT_SERVER -> control(crew).silence(network.server());
      case PARTITION -> control(crew).partition(random);
      case COMPACT -> control(crew).compact();
      case REVOKE_LEASES -> control(crew).revokeLeases();
      case FAIL_OVER -> control(crew).failOver(random);
      case STALE_FAIL_OVER -> control(crew).holdBack(random);
      case SKEWED_FAIL_OVER -> control(crew).skewAndKill(Clocks.NEAR, random);
      case FAR_SKEWED_FAIL_OVER -> control(crew).skewAndKill(Clocks.FAR, random);
      case READ_ONLY -> control(crew).makeReadOnly(true);
      case SEARCH_PATH -> {
        if (crew.haveAllBegun()) {
          control(crew).leadElsewhere(random);
        }
      }
      case KILL_POOLER -> control(crew).pooler().kill();
      case PAUSE_POOLER -> control(crew).pooler().pause();
      case YOUNG_SERVER -> {
        crew.others(victim).forEach(WorkerProcess::freeze);
        crew.kill(victim);
        control(crew).kill(random);
        crew.replace(victim); // tries to connect from now on
      }
      case KILL_CLIENT -> crew.kill(victim);
      case FREEZE_CLIENT -> crew.worker(victim).freeze();
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
    }
  }

  void end(Workers crew, int victim) {
    Network network = crew.network(victim);
    switch (this) {
      case KILL_SERVER, KILL_FOLLOWER, SKEWED_FAIL_OVER, FAR_SKEWED_FAIL_OVER ->
          control(crew).restart();
      case WIPE_SERVER -> control(crew).restartEmpty();
      case FREEZE_SERVER, SILENT_SERVER -> control(crew).thaw();
      case PARTITION -> control(crew).heal();
      case STALE_FAIL_OVER -> control(crew).promoteHeldBack();
      case READ_ONLY -> control(crew).makeReadOnly(false);
      case SEARCH_PATH -> control(crew).leadBack();
      case KILL_POOLER -> control(crew).pooler().restart();
      case PAUSE_POOLER -> control(crew).pooler().resume();
      case YOUNG_SERVER -> {
        control(crew).restartEmpty();
        if (crew.stage().can(Trait.ASKS)) {
          control(crew).awaitFirstClient();
        } else {
          crew.awaitFirst(victim);
        }
        crew.others(victim).forEach(WorkerProcess::thaw);
      }
      case KILL_CLIENT -> crew.replace(victim);
      case FREEZE_CLIENT -> crew.worker(victim).thaw();
      case REFUSE,
          HALF_OPEN,
          SILENT_LINK,
          LOST_PUSH,
          LOST_REPLY,
          DELAY,
          STUTTER,
          SLOW_LIST,
          SLOW_READ,
          SLOW_WRITE ->
          network.each(TcpProxy::heal);
      case COMPACT, REVOKE_LEASES, FAIL_OVER, CUT, RESET -> {
        // over as soon as it was done
      }
    }
  }

  /** Returns whether it concerns the server, and not one of the workers; these come last. */
  boolean isOfServer() {
    return compareTo(KILL_CLIENT) < 0;
  }

  /** Returns whether the store loses what it knew. */
  boolean losesMemory() {
    return this == WIPE_SERVER || this == YOUNG_SERVER;
  }

  /**
   * Returns what may be forgotten, if another server may take over that lacks what was said last.
   */
  Optional<EventKind> forgets(StoreUnderTest stage) {
    if (losesMemory()) {
      return stage.can(Trait.FORGETS_AT_LOSS)
          ? Optional.of(EventKind.MAY_FORGET)
          : Optional.empty();
    }
    if (needs != Trait.SERVER && needs != Trait.REPLICAS && needs != Trait.CLOCKS) {
      return Optional.empty();
    } else if (stage.can(Trait.FORGETS_AT_FAILOVER)) {
      return Optional.of(EventKind.MAY_FORGET);
    }
    return this == FAR_SKEWED_FAIL_OVER || stage.can(Trait.FORGETS_VALUES_AT_FAILOVER)
        ? Optional.of(EventKind.MAY_FORGET_VALUES)
        : Optional.empty();
  }

  /** Returns whether it can be done to this store. */
  boolean isPossible(StoreUnderTest stage) {
    return stage.can(needs);
  }

  /** Returns what this machine lacks for it, if another could do it to this store. */
  Optional<String> obstacle(StoreUnderTest stage) {
    boolean isOfMachine =
        needs == Trait.LINKS
            && stage.control().filter(EnsembleControl.class::isInstance).isPresent();
    return isOfMachine ? PrivateNetwork.obstacle() : Optional.empty();
  }

  /** Returns its name on the command line. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns all names, for messages. */
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

  private static Control control(Workers crew) {
    return crew.stage().control().orElseThrow();
  }
}
