package io.lockkeeper.servers;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis server in a child process, on a free loopback port and in a temporary folder; both
 * are gone after {@link #close()}, or when this JVM ends.
 *
 * <p>Nothing is written to disk unless asked for. Not thread-safe, except for {@link #command}.
 */
public final class RedisServer implements AutoCloseable {

  /** The only interface that the servers listen on. */
  public static final String HOST = "127.0.0.1";

  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(10);
  private static final Duration CALL_LIMIT = Duration.ofSeconds(10);
  private static final int START_ATTEMPTS = 5;

  private final RedisBinary binary;
  private final Path folder;
  private final int port;
  private final @Nullable String password;
  private ServerProcess process;

  private RedisServer(
      RedisBinary binary, Path folder, int port, @Nullable String password, ServerProcess process) {
    this.binary = binary;
    this.folder = folder;
    this.port = port;
    this.password = password;
    this.process = process;
  }

  /** Starts a server with default settings: the preferred binary, no password, nothing on disk. */
  public static RedisServer start() {
    return builder().start();
  }

  /** Returns a builder with default settings. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the port that it listens on. */
  public int port() {
    return port;
  }

  /** Returns the binary that it runs. */
  public RedisBinary binary() {
    return binary;
  }

  /** Returns its process id. */
  public long pid() {
    return process.pid();
  }

  /** Returns its URL, with the password if it has one. */
  public String url() {
    return "redis://" + (password == null ? "" : ":" + encode(password) + "@") + HOST + ":" + port;
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
          "no reply to " + command[0] + " from the server on port " + port, e);
    }
  }

  /** Opens a connection, authenticated if there is a password. */
  public RespConnection connect(Duration timeout) throws IOException {
    RespConnection connection = RespConnection.open(HOST, port, timeout);
    if (password != null) {
      connection.call("AUTH", password);
    }
    return connection;
  }

  /** Kills the server (SIGKILL). */
  public void kill() {
    process.kill();
  }

  /** Stops the process without ending it (SIGSTOP): connections stay open, nothing is answered. */
  public void freeze() {
    process.signal("STOP");
  }

  /** Lets a frozen process go on (SIGCONT). */
  public void thaw() {
    process.signal("CONT");
  }

  @Override
  public void close() {
    process.kill();
    TempFolder.delete(folder);
  }

  /** The settings of a server. */
  public static final class Builder {

    private @Nullable RedisBinary binary;
    private @Nullable String password;
    private final RedisConfig extra = new RedisConfig();

    private Builder() {}

    /** Chooses the program. Default: {@link RedisBinary#preferred()}. */
    public Builder binary(RedisBinary binary) {
      this.binary = Objects.requireNonNull(binary);
      return this;
    }

    /** Requires a password of the default user. */
    public Builder password(String password) {
      this.password = Objects.requireNonNull(password);
      return this;
    }

    /** Adds a line to the configuration file. */
    public Builder option(String name, String... values) {
      extra.add(name, (Object[]) values);
      return this;
    }

    /**
     * Starts the server and waits until it answers.
     *
     * @throws ServerStartException if it does not
     */
    public RedisServer start() {
      RedisBinary program = binary == null ? RedisBinary.preferred() : binary;
      for (int attempt = 1; ; attempt++) {
        Path folder = TempFolder.create("lockkeeper-redis-");
        int port = Ports.free();
        config(port).write(folder.resolve("redis.conf"));
        ServerProcess process = launch(program, folder);
        RedisServer server = new RedisServer(program, folder, port, password, process);
        try {
          server.awaitReady();
          return server;
        } catch (ServerStartException e) {
          boolean portTaken = process.outputTail().contains("Address already in use");
          server.close();
          if (!portTaken || attempt == START_ATTEMPTS) {
            throw e;
          }
        }
      }
    }

    private RedisConfig config(int port) {
      RedisConfig config =
          new RedisConfig()
              .add("port", port)
              .add("bind", HOST)
              .add("daemonize", "no")
              .add("save", "");
      if (password != null) {
        config.add("requirepass", password);
      }
      return config.addAll(extra);
    }
  }

  private static ServerProcess launch(RedisBinary binary, Path folder) {
    return ServerProcess.start(List.of(binary.path().toString(), "redis.conf"), folder);
  }

  private void awaitReady() {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!process.awaitEnd(POLL)) {
      if (answers()) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw notStarted("did not answer within " + START_LIMIT.toSeconds() + " s");
      }
    }
    throw notStarted("ended while it started");
  }

  private boolean answers() {
    try (RespConnection connection = connect(Duration.ofSeconds(1))) {
      return Objects.equals(connection.call("PING"), "PONG");
    } catch (IOException | RedisErrorException notYet) {
      return false;
    }
  }

  private ServerStartException notStarted(String what) {
    return new ServerStartException(
        binary + " on port " + port + " " + what + ":\n" + process.outputTail(), null);
  }
}
