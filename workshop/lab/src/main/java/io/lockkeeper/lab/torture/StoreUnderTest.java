package io.lockkeeper.lab.torture;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The store of a run, and how to break it.
 *
 * @param name what it is called, and what was added to its URL
 * @param url where it is
 * @param addresses where its servers are that a network fault can come before
 * @param control what can be done to its servers
 * @param traits what else can be done, but for what the other parameters tell
 * @param afterwards how long the consequences of a fault last
 * @param remains what is left in it
 */
record StoreUnderTest(
    String name,
    String url,
    List<Address> addresses,
    Optional<Control> control,
    Set<Trait> traits,
    Duration afterwards,
    LeftoverCheck remains,
    AutoCloseable server)
    implements AutoCloseable {

  /** Where a server listens. */
  record Address(String host, int port) {

    /** Returns a port of this machine. */
    static Address here(int port) {
      return new Address(Network.HERE, port);
    }

    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /** Shorter than some freezes, and than some holds. */
  private static final Duration LEASE = Duration.ofMillis(1_500);

  /** Longer than a failover takes, after which it may still be relied upon. */
  private static final Duration LEASE_OVER_FAILOVERS = Duration.ofSeconds(4);

  private static final int RARELY = 500;

  private static final String SCHEMA = "lockkeeper.schema=";

  /** So often that somebody holds for long when a master dies, and can be forgotten. */
  private static final int RARELY_OVER_FAILOVERS = 100;

  /** What can be done to some stores and not to others. */
  enum Trait {
    /** It has a server that can be killed. */
    SERVER,
    /** It has clients. */
    CLIENTS,
    /** A network fault can come before its servers. */
    NETWORK,
    /** Its server can come back empty. */
    FORGETFUL,
    /** When it does, it waits for clients from before to report. */
    ASKS,
    /** When it does, it does not wait for what it has forgotten. */
    FORGETS_AT_LOSS,
    /** What its server sends by itself can be told from its replies. */
    PUSHES,
    /** What its clients ask for can be told apart: lists, reads and writes. */
    REQUESTS,
    /** It has servers that follow others. */
    FOLLOWERS,
    /** The links between its servers can be cut, and clients still reach all of them. */
    LINKS,
    /** Any one of its servers may fall silent, and clients can go to another. */
    MEMBERS,
    /** Its server can be told to take no changes. */
    READ_ONLY,
    /** Where its clients' tables are can be changed for new connections. */
    SCHEMAS,
    /** Clients reach its server through a pooler. */
    POOLER,
    /** Its servers keep leases and a history, which an operator can end. */
    LEASES,
    /** One that follows can be asked to take over, and can fall behind. */
    REPLICAS,
    /** The clocks of those that follow can be set. */
    CLOCKS,
    /** One that has fallen behind can take over, and what the store had said last is forgotten. */
    FORGETS_AT_FAILOVER,
    /** The same, but leases are waited for, and tokens grow; values are forgotten. */
    FORGETS_VALUES_AT_FAILOVER
  }

  /** Returns for how long leases are asked. */
  Duration lease() {
    return can(Trait.REPLICAS) ? LEASE_OVER_FAILOVERS : LEASE;
  }

  /** Returns one hold in how many is longer than a lease. */
  int rarely() {
    return can(Trait.REPLICAS) ? RARELY_OVER_FAILOVERS : RARELY;
  }

  /** Returns where it is for clients that may find other tables at the URL by now. */
  String urlForLater() {
    return can(Trait.SCHEMAS) && !url.contains(SCHEMA)
        ? StoresUnderTest.with(url, SCHEMA + "public")
        : url;
  }

  boolean can(Trait trait) {
    return switch (trait) {
      case SERVER -> control.isPresent();
      case CLIENTS -> true;
      case NETWORK -> !addresses.isEmpty();
      default -> traits.contains(trait);
    };
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
