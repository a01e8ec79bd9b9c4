package io.lockkeeper.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A real ZooKeeper server in a JVM of its own.
 *
 * <p>Not thread-safe, except for {@link #ask} and what is made of it.
 */
public final class ZooKeeperServer extends MemberServer {

  static final String CONFIG_FILE = "zoo.cfg";
  static final String DATA_FOLDER = "data";

  private static final int CALL_LIMIT_MILLIS = 2_000;

  /** How the JVM ends when a port for the other servers is taken. */
  private static final int PORT_TAKEN = 14;

  private final ZooKeeperServerBuilder settings;

  /**
   * Prepares a server.
   *
   * @param members the lines of the configuration that name an ensemble's members; or empty
   * @param id which of them this is
   */
  ZooKeeperServer(ZooKeeperServerBuilder settings, ServerSite site, String members, int id) {
    this(settings, site, members, id, TempFolder.create("lockkeeper-zookeeper-"));
  }

  private ZooKeeperServer(
      ZooKeeperServerBuilder settings, ServerSite site, String members, int id, Path folder) {
    super("ZooKeeper", site, folder);
    this.settings = settings;
    settings.writeConfig(folder, site, members);
    try {
      Path data = Files.createDirectory(folder.resolve(DATA_FOLDER));
      Files.writeString(data.resolve("myid"), String.valueOf(id));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a server with default settings. */
  public static ZooKeeperServer start() {
    return builder().start();
  }

  /** Returns a builder with default settings. */
  public static ZooKeeperServerBuilder builder() {
    return new ZooKeeperServerBuilder();
  }

  @Override
  public String url() {
    return "zookeeper://" + connectString();
  }

  /**
   * Sends one of ZooKeeper's commands of four letters, such as {@code srvr}, and returns the reply.
   *
   * @throws IllegalStateException if there is no reply
   */
  public String ask(String command) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address(), port()), CALL_LIMIT_MILLIS);
      socket.setSoTimeout(CALL_LIMIT_MILLIS);
      socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(
          "no reply to " + command + " from the server at " + connectString(), e);
    }
  }

  /** Returns what the server counts and measures, such as {@code zk_packets_received}. */
  public Map<String, String> metrics() {
    Map<String, String> metrics = new TreeMap<>();
    for (String line : ask("mntr").split("\n", -1)) {
      int tab = line.indexOf('\t');
      if (tab > 0) {
        metrics.put(line.substring(0, tab), line.substring(tab + 1).strip());
      }
    }
    return metrics;
  }

  @Override
  public boolean isServing() {
    return mode() != null;
  }

  /** Returns whether who answers works in the folder of this server. */
  @Override
  boolean isItself() {
    try {
      return ask("conf").contains("dataDir=" + folder().resolve(DATA_FOLDER));
    } catch (IllegalStateException notNow) {
      return false;
    }
  }

  @Override
  public boolean isLeader() {
    return "leader".equals(mode());
  }

  private @Nullable String mode() {
    if (!isRunning()) {
      return null;
    }
    try {
      return ask("srvr")
          .lines()
          .filter(line -> line.startsWith("Mode: "))
          .map(line -> line.substring("Mode: ".length()))
          .findFirst()
          .orElse(null);
    } catch (IllegalStateException notNow) {
      return null;
    }
  }

  @Override
  List<String> commandLine() {
    return settings.commandLine();
  }

  @Override
  boolean wasPortTaken(ServerProcess ended) {
    return ended.exitStatus() == PORT_TAKEN || super.wasPortTaken(ended);
  }
}
