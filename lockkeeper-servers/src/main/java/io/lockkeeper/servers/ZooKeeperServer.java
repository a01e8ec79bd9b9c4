package io.lockkeeper.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A real ZooKeeper server in a JVM of its own, on a free loopback port, unless it has a host of its
 * own, and in a temporary folder; both are gone after {@link #close()}, or when this JVM ends.
 *
 * <p>Not thread-safe, except for {@link #ask} and what is made of it.
 */
public final class ZooKeeperServer implements AutoCloseable {

  /** The only interface that servers listen on which have no host of their own. */
  public static final String HOST = "127.0.0.1";

  static final String CONFIG_FILE = "zoo.cfg";
  static final String DATA_FOLDER = "data";

  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final int CALL_LIMIT_MILLIS = 2_000;

  /** How the JVM ends when a port for the other servers is taken. */
  private static final int PORT_TAKEN = 14;

  private final ZooKeeperServerBuilder settings;
  private final Path folder;
  private final ServerSite site;
  private @Nullable ServerProcess process;

  /**
   * Prepares a server.
   *
   * @param members the lines of the configuration that name an ensemble's members; or empty
   * @param id which of them this is
   */
  ZooKeeperServer(ZooKeeperServerBuilder settings, ServerSite site, String members, int id) {
    this.settings = settings;
    this.site = site;
    this.folder = TempFolder.create("lockkeeper-zookeeper-");
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

  /** Returns the port that it listens on. */
  public int port() {
    return site.port();
  }

  /** Returns the address that it listens on: {@link #HOST}, or that of its own host. */
  public String address() {
    return site.address();
  }

  /** Returns what ZooKeeper's clients connect to. */
  public String connectString() {
    return site.address() + ":" + site.port();
  }

  /** Returns its URL. */
  public String url() {
    return "zookeeper://" + connectString();
  }

  /** Returns its process id. */
  public long pid() {
    return running().pid();
  }

  /**
   * Sends one of ZooKeeper's commands of four letters, such as {@code srvr}, and returns the reply.
   *
   * @throws IllegalStateException if there is no reply
   */
  public String ask(String command) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(site.address(), site.port()), CALL_LIMIT_MILLIS);
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

  /** Returns whether it serves clients: alone, or as one of a majority. */
  public boolean isServing() {
    return mode() != null;
  }

  /** Returns whether it leads its ensemble. */
  public boolean isLeader() {
    return "leader".equals(mode());
  }

  private @Nullable String mode() {
    if (process == null || !process.isAlive()) {
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

  /** Kills the server (SIGKILL). */
  public void kill() {
    running().kill();
  }

  /** Stops the process without ending it (SIGSTOP): connections stay open, nothing is answered. */
  public void freeze() {
    running().signal("STOP");
  }

  /** Lets a frozen process go on (SIGCONT). */
  public void thaw() {
    running().signal("CONT");
  }

  /** As {@link #thaw}; does nothing if the server is not there. */
  public void thawIfFrozen() {
    running().signalIfAlive("CONT");
  }

  /**
   * Kills the server, if it still runs, and starts it again on the same port, with its data. Waits
   * until it serves: one of an ensemble does only as one of a majority.
   */
  public void restart() {
    running().kill();
    launch();
    awaitServing();
  }

  @Override
  public void close() {
    if (process != null) {
      process.kill();
    }
    TempFolder.delete(folder);
  }

  /** Starts the process. */
  void launch() {
    process = ServerProcess.start(site.command(settings.commandLine()), folder);
  }

  boolean wasPortTaken() {
    return process != null
        && !process.isAlive()
        && (process.exitStatus() == PORT_TAKEN
            || process.outputTail().contains("Address already in use"));
  }

  void awaitServing() {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    ServerProcess starting = running();
    while (!starting.awaitEnd(POLL)) {
      if (isServing()) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw notStarted(starting, "did not serve within " + START_LIMIT.toSeconds() + " s");
      }
    }
    throw notStarted(starting, "ended while it started");
  }

  private ServerProcess running() {
    if (process == null) {
      throw new IllegalStateException("never started");
    }
    return process;
  }

  private ServerStartException notStarted(ServerProcess starting, String what) {
    return new ServerStartException(
        "ZooKeeper at " + connectString() + " " + what + ":\n" + starting.outputTail(), null);
  }
}
