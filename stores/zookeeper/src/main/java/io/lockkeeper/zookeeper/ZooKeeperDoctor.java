package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreDoctor;
import io.lockkeeper.spi.support.Answers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/** Says which promises an ensemble keeps as it is set up. */
final class ZooKeeperDoctor implements StoreDoctor {

  /** The default lease: a session that is shorter shortens leases. */
  private static final Duration USUAL_LEASE = Duration.ofSeconds(30);

  private static final String RIGHTS =
      "give it the permission that docs/stores-zookeeper.md names, with zkCli.sh and setAcl";

  private static final int OLDEST = 306;
  private static final int MOST_BYTES = 10_000;
  private static final Pattern VERSION = Pattern.compile("version: (\\d{1,3})\\.(\\d{1,3})\\S*");
  private static final Pattern MODE = Pattern.compile("(?m)^Mode: (\\S+)");

  private final ZooKeeperSettings settings;

  ZooKeeperDoctor(ZooKeeperSettings settings) {
    this.settings = settings;
  }

  @Override
  public List<Finding> examine(StoreContext context) {
    List<Finding> findings = new ArrayList<>();
    try (Connection connection = Connection.open(settings, context.environment())) {
      findings.add(session(Duration.ofMillis(connection.sessionTimeoutMillis())));
      findings.add(rights(connection, new Nodes(settings.root()).namespace(context.namespace())));
    }
    String[] hosts = settings.connectString().split(",", -1);
    List<String> answers = new ArrayList<>();
    for (String host : hosts) {
      ask(host).ifPresent(answers::add);
    }
    if (!answers.isEmpty()) {
      findings.add(version(answers));
    }
    findings.add(servers(hosts.length, answers));
    findings.add(access());
    return findings;
  }

  private Finding session(Duration agreed) {
    String found =
        "%d ms agreed, %d ms asked for"
            .formatted(agreed.toMillis(), settings.sessionTimeout().toMillis());
    return agreed.compareTo(USUAL_LEASE) >= 0 || agreed.equals(settings.sessionTimeout())
        ? Finding.ok("session", found)
        : Finding.warn(
            "session",
            found,
            "raise maxSessionTimeout at the servers, or use leases that are not longer than this");
  }

  private static Finding version(List<String> answers) {
    List<String> found = new ArrayList<>();
    boolean isOld = false;
    for (String answer : answers) {
      Matcher version = VERSION.matcher(answer);
      if (version.find()) {
        int number = 100 * Integer.parseInt(version.group(1)) + Integer.parseInt(version.group(2));
        isOld |= number < OLDEST;
        String text = version.group().substring("version: ".length()).replaceFirst("-.*", "");
        if (!found.contains(text)) {
          found.add(text);
        }
      }
    }
    String text = String.join(", ", found);
    if (found.isEmpty()) {
      return Finding.warn("version", "not said", "only 3.6 and newer will do");
    }
    return isOld
        ? Finding.fail("version", text, "use ZooKeeper 3.6 or newer")
        : Finding.ok("version", text);
  }

  private static Finding servers(int named, List<String> answers) {
    List<String> modes =
        answers.stream()
            .map(MODE::matcher)
            .filter(Matcher::find)
            .map(matcher -> matcher.group(1))
            .toList();
    if (modes.isEmpty()) {
      return Finding.warn(
          "servers",
          named + " named, none answers the command srvr",
          "allow it (4lw.commands.whitelist), or look yourself whether all are up");
    }
    String found =
        "%d of %d named answer: %s".formatted(modes.size(), named, String.join(", ", modes));
    if (modes.size() < named) {
      return Finding.warn("servers", found, "start the others: with less than half nothing works");
    }
    return modes.contains("standalone")
        ? Finding.warn(
            "servers", found, "use three servers: a single one stops all when it is stopped")
        : Finding.ok("servers", found);
  }

  /** Says whether this user may make the nodes of a namespace, without making one. */
  private static Finding rights(Connection connection, String base) {
    String place = base;
    while (true) {
      String node = place + (place.equals("/") ? "" : "/") + "doctor-" + UUID.randomUUID();
      Throwable failure = rehearse(connection, node);
      boolean isTop = place.equals("/");
      if (failure instanceof KeeperException.NodeExistsException) {
        return Finding.ok("rights", "nodes may be made in " + place);
      } else if (failure instanceof KeeperException.NoNodeException && !isTop) {
        place = RequiredPermission.parent(place); // it is made when it is needed
      } else if (failure instanceof ZkFailures.DeniedException denied) {
        return Finding.fail("rights", String.valueOf(denied.getMessage()), RIGHTS);
      } else {
        return Finding.warn("rights", "no clear answer", "try it again");
      }
    }
  }

  /**
   * Asks for a node to be made twice in one step. That comes to nothing, and what is wrong with it
   * is reported in order: that the node is there already, only if it might be made.
   */
  private static @Nullable Throwable rehearse(Connection connection, String node) {
    Op create = Op.create(node, new byte[0], connection.settings().acl(), CreateMode.PERSISTENT);
    return connection
        .multi(List.of(create, create))
        .<@Nullable Throwable>handle(
            (results, failure) -> failure == null ? null : Answers.cause(failure))
        .join();
  }

  private Finding access() {
    return switch (settings.access()) {
      case OPEN -> Finding.ok("access", "everybody who reaches the servers may change the nodes");
      case CREATOR ->
          Finding.ok("access", "only who has the password of '" + settings.user() + "'");
    };
  }

  /** Asks one server how it is; empty if it does not say. */
  private Optional<String> ask(String host) {
    int colon = host.lastIndexOf(':');
    String name = host.substring(0, colon).replaceAll("[\\[\\]]", "");
    int millis = Math.toIntExact(settings.timeout().toMillis());
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(millis);
      socket.connect(
          new InetSocketAddress(name, Integer.parseInt(host.substring(colon + 1))), millis);
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      byte[] answer = socket.getInputStream().readNBytes(MOST_BYTES);
      return Optional.of(new String(answer, StandardCharsets.UTF_8))
          .filter(text -> text.contains("Mode: "));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
