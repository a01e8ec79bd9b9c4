package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.servers.fault.TcpProxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/** The store of a run: where it is, how to break it, and what it may have forgotten then. */
final class StoreUnderTest implements AutoCloseable {

  /** Where a server listens. */
  record Address(String host, int port) {

    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /** How a fault of servers is begun and ended; the network is that of a worker. */
  record Way(BiConsumer<Random, Network> begin, Runnable end) {}

  /** Shorter than some freezes, and than some holds. */
  private static final Duration LEASE = Duration.ofMillis(1_500);

  /** Longer than a failover takes, after which it may still be relied upon. */
  private static final Duration LEASE_OVER_FAILOVERS = Duration.ofSeconds(4);

  /** The lease and the heartbeat of waiters, with a margin. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(6);

  private static final Duration AFTER_FAILOVERS = Duration.ofSeconds(9);
  private static final int RARELY = 500;

  /** So often that somebody holds for long when a master dies, and can be forgotten. */
  private static final int RARELY_OVER_FAILOVERS = 100;

  private static final String SCHEMA = "lockkeeper.schema=";

  private final Deque<AutoCloseable> servers = new ArrayDeque<>();
  private String name = "";
  private String url;
  private final Set<Fault> possible = EnumSet.of(Fault.KILL_CLIENT, Fault.FREEZE_CLIENT);
  private final Map<Fault, Way> ways = new EnumMap<>(Fault.class);
  private final Map<Fault, EventKind> forgets = new EnumMap<>(Fault.class);
  private final List<Address> addresses = new ArrayList<>();
  private BiFunction<String, Integer, TcpProxy> proxies = TcpProxy::new;

  /** For how long leases are asked. */
  Duration lease = LEASE;

  /** How long the consequences of a fault last. */
  Duration afterwards = AFTERWARDS;

  /** One hold in how many is longer than a lease. */
  int rarely = RARELY;

  /** Whether, empty, it waits for clients from before to report. */
  boolean asks;

  private Function<String, List<String>> remains = namespace -> List.of();

  /**
   * Creates one that only workers can be taken from.
   *
   * @param servers are closed in the end, the last one first
   */
  StoreUnderTest(String url, AutoCloseable... servers) {
    this.url = url;
    List.of(servers).forEach(this.servers::push);
  }

  /** Sets the name, and appends parameters to the URL. */
  StoreUnderTest named(String itsName, String parameters) {
    name = itsName;
    url = StoresUnderTest.with(url, parameters);
    return this;
  }

  /** Says that a network fault can come before its servers. */
  StoreUnderTest at(Collection<Address> servers) {
    addresses.addAll(servers);
    possible.addAll(Fault.OF_NETWORK);
    return this;
  }

  /** Says so of a server of this machine. */
  StoreUnderTest at(int port) {
    return at(List.of(new Address(Network.HERE, port)));
  }

  /** Says that these proxies know its protocol, and what they can do therefore. */
  StoreUnderTest with(BiFunction<String, Integer, TcpProxy> itsProxies, Fault... faults) {
    proxies = itsProxies;
    possible.addAll(List.of(faults));
    return this;
  }

  /** Says how its servers meet with a fault. */
  StoreUnderTest can(Fault fault, Runnable begin, Runnable end) {
    return can(fault, (random, network) -> begin.run(), end);
  }

  /** Says how its servers meet with a fault that depends on chance. */
  StoreUnderTest can(Fault fault, Consumer<Random> begin, Runnable end) {
    return can(fault, (random, network) -> begin.accept(random), end);
  }

  /** Says how its servers meet with a fault that depends on where a worker is connected. */
  StoreUnderTest can(Fault fault, BiConsumer<Random, Network> begin, Runnable end) {
    ways.put(fault, new Way(begin, end));
    possible.add(fault);
    return this;
  }

  /** Says that another server may take over; clocks that are minutes apart cost it values. */
  StoreUnderTest failsOver() {
    lease = LEASE_OVER_FAILOVERS;
    rarely = RARELY_OVER_FAILOVERS;
    return recoveringIn(AFTER_FAILOVERS)
        .forgetting(EventKind.MAY_FORGET_VALUES, Set.of(Fault.FAR_SKEWED_FAIL_OVER));
  }

  /** Says what the store may have forgotten after these faults, of all that it had said. */
  StoreUnderTest forgetting(EventKind what, Set<Fault> after) {
    after.forEach(fault -> forgets.put(fault, what));
    return this;
  }

  StoreUnderTest recoveringIn(Duration time) {
    afterwards = time;
    return this;
  }

  /** Sets a function that finds leftovers in a namespace without clients. */
  StoreUnderTest leaving(Function<String, List<String>> itsRemains) {
    remains = itsRemains;
    return this;
  }

  String name() {
    return name;
  }

  String url() {
    return url;
  }

  /** Returns where it is for clients that may find other tables at the URL by now. */
  String urlForLater() {
    return can(Fault.SEARCH_PATH) && !url.contains(SCHEMA)
        ? StoresUnderTest.with(url, SCHEMA + "public")
        : url;
  }

  List<Address> addresses() {
    return addresses;
  }

  TcpProxy proxy(Address address) {
    return proxies.apply(address.host(), address.port());
  }

  /** Returns leftovers that Lockkeeper itself does not list, a line each. */
  List<String> remains(String namespace) {
    return remains.apply(namespace);
  }

  boolean can(Fault fault) {
    return possible.contains(fault);
  }

  /** Returns how its servers meet with a fault. */
  Way way(Fault fault) {
    return Objects.requireNonNull(ways.get(fault));
  }

  /** Returns what it may have forgotten after a fault, if anything. */
  Optional<EventKind> forgets(Fault fault) {
    return Optional.ofNullable(forgets.get(fault));
  }

  @Override
  public void close() {
    if (!servers.isEmpty()) {
      try {
        servers.pop().close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      } finally {
        close();
      }
    }
  }
}
