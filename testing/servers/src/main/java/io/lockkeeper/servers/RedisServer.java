package io.lockkeeper.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis server, on a free loopback port.
 *
 * <p>Nothing is written to disk unless asked for. Not thread-safe, except for {@link #command}.
 */
public final class RedisServer extends ChildServer {

  /** The choices for a server's data when it restarts. */
  public enum Data {
    /** Every key comes back. */
    KEPT,
    /** The server comes back empty, as one without persistence does after a crash. */
    LOST
  }

  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final Duration CALL_LIMIT = Duration.ofSeconds(10);

  private final RedisServerBuilder settings;
  private final RedisBinary binary;
  private final @Nullable ServerCertificate certificate;

  /** Prepares a server. */
  RedisServer(RedisServerBuilder settings, RedisBinary binary, int port) {
    super(TempFolder.create("lockkeeper-redis-"), port);
    this.settings = settings;
    this.binary = binary;
    this.certificate = settings.tls ? ServerCertificate.create(folder()) : null;
    settings.config(port, certificate).write(folder().resolve("redis.conf"));
  }

  /** Starts a server with default settings: the preferred binary, no password, nothing on disk. */
  public static RedisServer start() {
    return builder().start();
  }

  /** Returns a builder with default settings. */
  public static RedisServerBuilder builder() {
    return new RedisServerBuilder();
  }

  /** Returns the binary that it runs. */
  public RedisBinary binary() {
    return binary;
  }

  @Nullable String password() {
    return settings.password;
  }

  /** Returns its certificate, if it speaks TLS. */
  public Optional<ServerCertificate> certificate() {
    return Optional.ofNullable(certificate);
  }

  /** Returns its URL, with the password if it has one. */
  public String url() {
    String scheme = settings.tls ? "rediss://" : "redis://";
    String login = settings.password == null ? "" : ":" + encode(settings.password) + "@";
    return scheme + login + HOST + ":" + port();
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /**
   * Sends a command over a new connection and returns the reply: a {@code String}, a {@code Long},
   * a {@code List} of these, or null.
   *
   * @throws RedisErrorException if the reply is an error
   * @throws IllegalStateException if there is no reply
   */
  public @Nullable Object command(String... command) {
    try (RespConnection connection = connect(CALL_LIMIT)) {
      return connection.call(command);
    } catch (IOException e) {
      throw new IllegalStateException(
          "no reply to " + command[0] + " from the server on port " + port(), e);
    }
  }

  /**
   * Leaves the marks that say that no leases were forgotten, if there is memory for them. They are
   * there at the start; after a flush nobody else is to wait for leases of the namespaces of tests.
   */
  public void tellThatItWasEmpty() {
    String id = Objects.requireNonNull(info("server").get("run_id")).substring(0, 16);
    for (String namespace : List.of("lockkeeper", "lockkeeper-oversell", "test")) {
      try {
        command("SET", namespace + ":mark", id + " empty 0 0 0");
        command("ZADD", namespace + ":names", "0", "*"); // so nothing is missing in the index
      } catch (RedisErrorException full) {
        return; // then clients find a young server
      }
    }
  }

  /** Returns the fields of one section of {@code INFO}, such as {@code replication}. */
  public Map<String, String> info(String section) {
    Map<String, String> fields = new TreeMap<>();
    String text = Objects.requireNonNull((String) command("INFO", section));
    for (String line : text.split("\r\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        fields.put(line.substring(0, colon), line.substring(colon + 1));
      }
    }
    return fields;
  }

  /** Returns whether {@code replica} follows this server and has all of its data. */
  public boolean isFollowedBy(RedisServer replica) {
    return info("replication").values().stream()
        .anyMatch(value -> value.contains("port=" + replica.port() + ",state=online"));
  }

  /** Returns what the server has counted of each command since the last {@link #resetStats}. */
  public Map<String, CommandStat> commandStats() {
    Map<String, CommandStat> stats = new TreeMap<>();
    info("commandstats")
        .forEach(
            (name, text) -> stats.put(name.replaceFirst("^cmdstat_", ""), CommandStat.parse(text)));
    return stats;
  }

  /** Sets the counts of {@link #commandStats} to zero. */
  public void resetStats() {
    command("CONFIG", "RESETSTAT");
  }

  /** Opens a connection, authenticated if there is a password. */
  public RespConnection connect(Duration timeout) throws IOException {
    Socket socket =
        certificate == null
            ? new Socket()
            : certificate.clientContext().getSocketFactory().createSocket();
    RespConnection connection = RespConnection.open(socket, HOST, port(), timeout);
    if (settings.password != null) {
      connection.call("AUTH", settings.password);
    }
    return connection;
  }

  /**
   * Closes the connections to the replicas. One that is frozen does not come back before it goes
   * on, and hears nothing of what was changed meanwhile; freezing alone would only put that off,
   * because its system still takes in what is sent.
   */
  public void dropReplicas() {
    command("CLIENT", "KILL", "TYPE", "replica");
  }

  /** Ends the server, if it still runs, and starts it again on the same port. */
  public void restart(Data data) {
    if (data == Data.KEPT && isRunning()) {
      save();
    }
    kill();
    if (data == Data.LOST) {
      deleteData();
    }
    begin();
  }

  private void save() {
    try (RespConnection connection = connect(CALL_LIMIT)) {
      connection.call("SAVE");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void deleteData() {
    try {
      Files.deleteIfExists(folder().resolve("dump.rdb"));
      Files.deleteIfExists(folder().resolve("appendonly.aof"));
      TempFolder.delete(folder().resolve("appendonlydir"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  ServerProcess startProcess() {
    return ServerProcess.start(settings.commandLine(binary), folder(), null, settings.environment);
  }

  @Override
  Duration startLimit() {
    return START_LIMIT;
  }

  @Override
  boolean isAnswering() {
    return "PONG".equals(replyIfAny("PING"));
  }

  /** Returns whether who answers is the process that was started here. */
  @Override
  boolean isItself() {
    return String.valueOf(replyIfAny("INFO", "server")).contains("process_id:" + pid() + "\r");
  }

  private @Nullable Object replyIfAny(String... command) {
    try (RespConnection connection = connect(Duration.ofSeconds(1))) {
      return connection.call(command);
    } catch (IOException | RedisErrorException notYet) {
      return null;
    }
  }

  @Override
  public String toString() {
    return binary + " on port " + port();
  }
}
