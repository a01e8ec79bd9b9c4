package io.lockkeeper.servers.net;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A few hosts on this machine, with links that can be cut one by one while the servers on them run.
 *
 * <p>Each host is a Linux network namespace with two links: one to this machine, on which clients
 * reach it, and one to a switch, on which the hosts reach each other. The switch is a bridge in a
 * namespace of its own, so that no rule of this machine's firewall stands between the hosts. What
 * is cut is lost silently, as on a network: the sender has a false address for the receiver's
 * network card, and no error is reported. So one direction can be cut without the other.
 *
 * <p>It takes root's rights and the program {@code ip}. Addresses are those that are set aside for
 * measurements, 198.18.0.0/15, so they are nobody else's. Everything is gone after {@link
 * #close()}, or when this JVM ends; what a killed JVM has left, the next one removes.
 *
 * <p>Not thread-safe.
 */
public final class PrivateNetwork implements AutoCloseable {

  private static final int SUBNETS = 256;

  /** Outside addresses of this machine begin behind those of the hosts. */
  private static final int NEAR_END = 100;

  private static final int MOST_HOSTS = 99;
  private static final String TO_MACHINE = "machine";
  private static final String TO_HOSTS = "hosts";
  private static final String SWITCH = "switch";

  /** The address of a network card that nobody has. */
  private static final String NOWHERE = "02:00:00:00:00:00";

  private static final Set<PrivateNetwork> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Thread hook = new Thread(PrivateNetwork::closeAll, "lockkeeper-networks-shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** One direction between two hosts. */
  private record Way(int from, int to) {}

  private final int subnet;
  private final int hosts;
  private final Set<Way> cut = new HashSet<>();

  /** The links of this machine that were made; one of the same name may be another JVM's. */
  private final List<String> outerLinks = new CopyOnWriteArrayList<>();

  private PrivateNetwork(int subnet, int hosts) {
    this.subnet = subnet;
    this.hosts = hosts;
  }

  /** Returns what keeps this machine from having one; empty if it can. It makes one to see. */
  public static Optional<String> obstacle() {
    return Tried.OBSTACLE;
  }

  private static final class Tried {
    static final Optional<String> OBSTACLE = obstacle();

    private static Optional<String> obstacle() {
      if (!System.getProperty("os.name").startsWith("Linux")) {
        return Optional.of("network namespaces need Linux");
      }
      try {
        create(1).close();
        return Optional.empty();
      } catch (IllegalStateException e) {
        return Optional.of(
            "network namespaces need root's rights and the program ip (iproute2): "
                + e.getMessage());
      }
    }
  }

  /**
   * Makes one whose links are all in order.
   *
   * @param hosts how many hosts, 1 to 99; they are numbered from 0
   * @throws IllegalStateException if that is not possible on this machine
   */
  public static PrivateNetwork create(int hosts) {
    if (hosts < 1 || hosts > MOST_HOSTS) {
      throw new IllegalArgumentException("1 to " + MOST_HOSTS + " hosts, not " + hosts);
    }
    removeLeftOvers();
    int first = ThreadLocalRandom.current().nextInt(SUBNETS);
    IllegalStateException failure = new IllegalStateException("no subnet of 198.18.0.0/16 is free");
    for (int i = 0; i < SUBNETS; i++) {
      int subnet = (first + i) % SUBNETS;
      if (isFree(subnet)) {
        PrivateNetwork network = new PrivateNetwork(subnet, hosts);
        try {
          network.build();
          return network;
        } catch (IllegalStateException e) {
          network.close();
          if (isFree(subnet)) {
            throw e; // nobody was quicker: it is something else
          }
          failure.addSuppressed(e);
        }
      }
    }
    throw failure;
  }

  /** Returns the address under which this machine reaches a host. */
  public String outerAddress(int host) {
    return "198.18.%s.%s".formatted(subnet, number(host));
  }

  /** Returns the address under which the hosts reach one of them. */
  public String innerAddress(int host) {
    return "198.19.0." + number(host);
  }

  /** Returns the command that runs a command on a host: it becomes that, with the same pid. */
  public List<String> on(int host, List<String> command) {
    return Stream.concat(Stream.of("ip", "netns", "exec", namespace(host)), command.stream())
        .toList();
  }

  /** Loses all that one host sends to another from now on. */
  public void cut(int from, int to) {
    Way way = new Way(from, to);
    if (from != to && cut.add(way)) {
      IpTool.runIn(
          namespace(from),
          List.of(
              "neigh replace %s lladdr %s nud permanent dev %s"
                  .formatted(innerAddress(to), NOWHERE, TO_HOSTS)));
    }
  }

  /** Loses all that a host sends to the others. */
  public void mute(int host) {
    IntStream.range(0, hosts).forEach(other -> cut(host, other));
  }

  /** Loses all that the others send to a host. */
  public void deafen(int host) {
    IntStream.range(0, hosts).forEach(other -> cut(other, host));
  }

  /** Puts all links in order again. */
  public void heal() {
    for (Way way : List.copyOf(cut)) {
      IpTool.runIn(
          namespace(way.from()),
          List.of("neigh del %s dev %s".formatted(innerAddress(way.to()), TO_HOSTS)));
      cut.remove(way);
    }
  }

  /** Removes it; the servers on its hosts should have ended. */
  @Override
  public void close() {
    outerLinks.forEach(link -> removeQuietly("link del dev " + link));
    IntStream.range(0, hosts).forEach(host -> removeQuietly("netns del " + namespace(host)));
    removeQuietly("netns del " + switchNamespace());
    OPEN.remove(this);
  }

  private void build() {
    OPEN.add(this);
    IpTool.runHere("netns add " + switchNamespace());
    IpTool.runIn(
        switchNamespace(),
        List.of("link add name " + SWITCH + " type bridge", "link set dev " + SWITCH + " up"));
    for (int host = 0; host < hosts; host++) {
      build(host);
    }
  }

  private void build(int host) {
    IpTool.runHere("netns add " + namespace(host));
    String link = "lkeep%sh%s".formatted(subnet, number(host)); // 15 characters at the most
    String near = "198.18.%s.%s".formatted(subnet, NEAR_END + number(host));
    String far = outerAddress(host);
    IpTool.runHere(
        "link add name %s type veth peer name %s netns %s"
            .formatted(link, TO_MACHINE, namespace(host)));
    outerLinks.add(link);
    IpTool.runHere("addr add %s peer %s dev %s".formatted(near, far, link));
    IpTool.runHere("link set dev %s up".formatted(link));
    String port = "port" + number(host);
    IpTool.runIn(
        namespace(host),
        List.of(
            "link set dev lo up",
            "addr add %s peer %s dev %s".formatted(far, near, TO_MACHINE),
            "link set dev %s up".formatted(TO_MACHINE),
            "link add name %s type veth peer name %s netns %s"
                .formatted(TO_HOSTS, port, switchNamespace()),
            "addr add %s/24 dev %s".formatted(innerAddress(host), TO_HOSTS),
            "link set dev %s up".formatted(TO_HOSTS)));
    IpTool.runIn(
        switchNamespace(),
        List.of(
            "link set dev %s master %s".formatted(port, SWITCH), "link set dev " + port + " up"));
  }

  /** Returns whether nobody has addresses of this subnet, and no other JVM is about to. */
  private static boolean isFree(int subnet) {
    return IpTool.runHere("-o addr show to 198.18.%s.0/24".formatted(subnet)).isEmpty()
        && NamespaceName.all().noneMatch(name -> name.subnet() == subnet);
  }

  private static void removeLeftOvers() {
    NamespaceName.all()
        .filter(NamespaceName::isLeftOver)
        .forEach(name -> removeQuietly("netns del " + name.text()));
  }

  /** Ignores that something is gone already, or was never made. */
  private static void removeQuietly(String command) {
    try {
      IpTool.runHere(command);
    } catch (IllegalStateException gone) {
      // Nobody could do more about it; the next JVM tries again.
    }
  }

  private static void closeAll() {
    new ArrayList<>(OPEN).forEach(PrivateNetwork::close);
  }

  private String namespace(int host) {
    return new NamespaceName(ProcessHandle.current().pid(), subnet, number(host)).text();
  }

  private String switchNamespace() {
    return new NamespaceName(ProcessHandle.current().pid(), subnet, 0).text();
  }

  private static int number(int host) {
    return host + 1;
  }
}
