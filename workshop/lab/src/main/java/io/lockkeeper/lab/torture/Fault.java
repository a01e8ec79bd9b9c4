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

/** What the nemesis can do. Each is begun, lasts for a while, and is ended. */
enum Fault {
  /** Kills the server, and starts it again with its data. */
  KILL_SERVER(Needs.SERVER) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).kill(random);
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).restart();
    }
  },
  /** Kills the server, and starts it again without its data. */
  WIPE_SERVER(Needs.FORGETFUL_SERVER) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).kill(random);
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).restartEmpty();
    }
  },
  /** Stops the server without ending it. */
  FREEZE_SERVER(Needs.SERVER) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).freeze(random);
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).thaw();
    }
  },
  /** Kills a server that follows another, and starts it again. */
  KILL_FOLLOWER(Needs.FOLLOWERS) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).killFollower(random);
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).restart();
    }
  },
  /** Stops a server of several without ending it: the one that a worker is connected to. */
  SILENT_SERVER(Needs.MEMBERS) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).silence(crew.network(victim).server());
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).thaw();
    }
  },
  /** Cuts the links of one server to the others, in one direction or both; clients reach it. */
  PARTITION(Needs.LINKS) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).partition(random);
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).heal();
    }
  },
  /** Has the servers forget what was before, so that watches that are behind must read anew. */
  COMPACT(Needs.LEASES) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).compact();
    }
  },
  /** Ends all leases that the servers themselves keep for clients. */
  REVOKE_LEASES(Needs.LEASES) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).revokeLeases();
    }
  },
  /** Asks a replica to take over from a master that is well. */
  FAIL_OVER(Needs.REPLICAS) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).failOver(random);
    }
  },
  /** Stops the replicas for a while, and then kills the master, so that one of them takes over. */
  STALE_FAIL_OVER(Needs.REPLICAS) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).holdBack(random);
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).promoteHeldBack();
    }
  },
  /**
   * Kills the master when the clocks of those that follow it are ahead or behind, by less than
   * requests are remembered, so that one with another clock takes over.
   */
  SKEWED_FAIL_OVER(Needs.CLOCKS) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).skewAndKill(Clocks.NEAR, random);
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).restart();
    }
  },
  /** The same by minutes. A change whose answer was lost can then be made twice. */
  FAR_SKEWED_FAIL_OVER(Needs.CLOCKS) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).skewAndKill(Clocks.FAR, random);
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).restart();
    }
  },
  /** Has a server take no changes while it keeps its connections, as a former primary does. */
  READ_ONLY(Needs.READ_ONLY) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).makeReadOnly(true);
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).makeReadOnly(false);
    }
  },
  /**
   * Changes the default search path to a schema without tables, or with others, and ends all
   * connections. Clients stay with the tables that they have found, so that this waits for all to
   * have found them; those that come later are given their schema.
   */
  SEARCH_PATH(Needs.SCHEMAS) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      if (crew.haveAllBegun()) {
        control(crew).leadElsewhere(random);
      }
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).leadBack();
    }
  },
  /** Kills the pooler before the server, and starts it again. */
  KILL_POOLER(Needs.POOLER) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).pooler().kill();
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).pooler().restart();
    }
  },
  /** Has the pooler keep all clients waiting. */
  PAUSE_POOLER(Needs.POOLER) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      control(crew).pooler().pause();
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).pooler().resume();
    }
  },
  /**
   * Freezes all workers but one, and kills that one and the server; then the server comes back
   * empty, and a new worker is the first to reach it. The others go on when it has got something;
   * or, if the server asks for them, when it has reached the server.
   */
  YOUNG_SERVER(Needs.YOUNG_SERVER) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.others(victim).forEach(Worker::freeze);
      crew.kill(victim);
      control(crew).kill(random);
      crew.replace(victim); // tries to connect from now on
    }

    @Override
    void end(Workers crew, int victim) {
      control(crew).restartEmpty();
      if (crew.stage().can(Trait.ASKS)) {
        control(crew).awaitFirstClient();
      } else {
        crew.awaitFirst(victim);
      }
      crew.others(victim).forEach(Worker::thaw);
    }
  },
  /** Kills a worker, and starts another. */
  KILL_CLIENT(Needs.PROCESSES) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.kill(victim);
    }

    @Override
    void end(Workers crew, int victim) {
      crew.replace(victim);
    }
  },
  /** Stops a worker without ending it, for less or more than a lease. */
  FREEZE_CLIENT(Needs.PROCESSES) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.worker(victim).freeze();
    }

    @Override
    void end(Workers crew, int victim) {
      crew.worker(victim).thaw();
    }
  },
  /** Closes a worker's connections in good order. */
  CUT(Needs.NETWORK) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.network(victim).cut();
    }
  },
  /** Breaks a worker's connections, in the middle of whatever is on its way. */
  RESET(Needs.NETWORK) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.network(victim).reset();
    }
  },
  /** Breaks them, and refuses new ones. */
  REFUSE(Needs.NETWORK) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.network(victim).refuse();
    }

    @Override
    void end(Workers crew, int victim) {
      crew.network(victim).heal();
    }
  },
  /** Swallows what goes in one direction, or in both, without a sign. */
  HALF_OPEN(Needs.NETWORK) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      int which = random.nextInt(3);
      if (which != 0) {
        crew.network(victim).swallow(TcpProxy.Direction.TO_SERVER);
      }
      if (which != 1) {
        crew.network(victim).swallow(TcpProxy.Direction.TO_CLIENT);
      }
    }

    @Override
    void end(Workers crew, int victim) {
      crew.network(victim).heal();
    }
  },
  /** Swallows all between a worker and the server that it is connected to; it can reach others. */
  SILENT_LINK(Needs.PATHS) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.network(victim).silence(crew.network(victim).server());
    }

    @Override
    void end(Workers crew, int victim) {
      crew.network(victim).heal();
    }
  },
  /** Drops what the server sends by itself, while replies pass. */
  LOST_PUSH(Needs.PUSHES) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.network(victim).losePushes();
    }

    @Override
    void end(Workers crew, int victim) {
      crew.network(victim).heal();
    }
  },
  /** Breaks a connection in place of one of the next replies. */
  LOST_REPLY(Needs.PUSHES) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.network(victim).loseReply(1 + random.nextInt(MOST_REPLIES));
    }

    @Override
    void end(Workers crew, int victim) {
      crew.network(victim).heal();
    }
  },
  /** Has everything arrive later. */
  DELAY(Needs.NETWORK) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.network(victim).delay(Duration.ofMillis(5 + random.nextInt(300)));
    }

    @Override
    void end(Workers crew, int victim) {
      crew.network(victim).heal();
    }
  },
  /** Has some requests rest for a moment, so that those of others get between them. */
  STUTTER(Needs.NETWORK) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.network(victim).stutter(moment(random));
    }

    @Override
    void end(Workers crew, int victim) {
      crew.network(victim).heal();
    }
  },
  /** Has requests for lists rest for a moment. */
  SLOW_LIST(Needs.REQUESTS) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.network(victim).slow(TcpProxy.Request.LIST, moment(random));
    }

    @Override
    void end(Workers crew, int victim) {
      crew.network(victim).heal();
    }
  },
  /** Has reads rest for a moment. */
  SLOW_READ(Needs.REQUESTS) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.network(victim).slow(TcpProxy.Request.READ, moment(random));
    }

    @Override
    void end(Workers crew, int victim) {
      crew.network(victim).heal();
    }
  },
  /** Has changes rest for a moment. */
  SLOW_WRITE(Needs.REQUESTS) {
    @Override
    void begin(Workers crew, int victim, Random random) {
      crew.network(victim).slow(TcpProxy.Request.WRITE, moment(random));
    }

    @Override
    void end(Workers crew, int victim) {
      crew.network(victim).heal();
    }
  };

  /** What a fault needs in order to be possible. */
  private enum Needs {
    SERVER,
    FORGETFUL_SERVER,
    YOUNG_SERVER,
    FOLLOWERS,
    MEMBERS,
    LINKS,
    LEASES,
    REPLICAS,
    CLOCKS,
    READ_ONLY,
    SCHEMAS,
    POOLER,
    PROCESSES,
    NETWORK,
    PATHS,
    PUSHES,
    REQUESTS
  }

  private static final int MOST_REPLIES = 50;
  private static final int LONGEST_MOMENT_MILLIS = 12;

  private final Needs needs;

  Fault(Needs needs) {
    this.needs = needs;
  }

  abstract void begin(Workers crew, int victim, Random random);

  void end(Workers crew, int victim) {
    // over as soon as it was done
  }

  /** Returns whether it concerns the server, and not one of the workers. */
  boolean isOfServer() {
    return switch (needs) {
      case PROCESSES, NETWORK, PATHS, PUSHES, REQUESTS -> false;
      default -> true;
    };
  }

  /** Returns whether the store loses what it knew. */
  boolean losesMemory() {
    return needs == Needs.FORGETFUL_SERVER || needs == Needs.YOUNG_SERVER;
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
    if (needs != Needs.SERVER && needs != Needs.REPLICAS && needs != Needs.CLOCKS) {
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
    return switch (needs) {
      case SERVER -> stage.control().isPresent();
      case FORGETFUL_SERVER, YOUNG_SERVER -> stage.can(Trait.FORGETFUL);
      case FOLLOWERS -> stage.can(Trait.FOLLOWERS);
      case MEMBERS, PATHS -> stage.can(Trait.MEMBERS);
      case LINKS -> stage.can(Trait.LINKS);
      case LEASES -> stage.can(Trait.LEASES);
      case REPLICAS -> stage.can(Trait.REPLICAS);
      case CLOCKS -> stage.can(Trait.CLOCKS);
      case READ_ONLY -> stage.can(Trait.READ_ONLY);
      case SCHEMAS -> stage.can(Trait.SCHEMAS);
      case POOLER -> stage.can(Trait.POOLER);
      case PROCESSES -> !stage.can(Trait.IN_MEMORY);
      case NETWORK -> !stage.addresses().isEmpty();
      case PUSHES -> stage.can(Trait.PUSHES);
      case REQUESTS -> stage.can(Trait.REQUESTS);
    };
  }

  /** Returns what this machine lacks for it, if another could do it to this store. */
  Optional<String> obstacle(StoreUnderTest stage) {
    boolean isOfMachine =
        needs == Needs.LINKS
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

  /** Returns about as long as a few requests take. */
  private static Duration moment(Random random) {
    return Duration.ofMillis(1 + random.nextInt(LONGEST_MOMENT_MILLIS));
  }

  private static Control control(Workers crew) {
    return crew.stage().control().orElseThrow();
  }
}
