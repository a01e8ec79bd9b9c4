package io.lockkeeper.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The machine's PgBouncer in front of a PostgreSQL server. It does not run as root; when this JVM
 * does, PgBouncer runs as the user {@code nobody}.
 */
public final class PgBouncerServer extends ChildServer {

  /** Says how to get one. */
  public static final String WHY_NONE =
      "no pgbouncer on the PATH: install it (Debian's package pgbouncer, in /usr/sbin)";

  /** For how long a client keeps a session of the server. */
  public enum Mode {
    /** Until it disconnects. */
    SESSION,
    /** Until its transaction ends. */
    TRANSACTION,
    /** Until its statement ends; it refuses transactions of several. */
    STATEMENT
  }

  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final String CONFIGURATION = "pgbouncer.ini";
  private static final String USERS = "users.txt";
  private static final String PID_FILE = "pgbouncer.pid";

  private final Path program;
  private final int backend;
  private final Unprivileged user;

  private PgBouncerServer(Path program, int backend, Mode mode, int poolSize, int port) {
    super(TempFolder.create("lockkeeper-pgbouncer-"), port);
    this.program = program;
    this.backend = backend;
    this.user = Unprivileged.owning(folder());
    write(USERS, "\"" + PostgresServer.USER + "\" \"\"\n");
    configure(mode, poolSize, "");
  }

  /** Returns whether this machine has one. */
  public static boolean isInstalled() {
    return program().isPresent();
  }

  /**
   * Starts one on a free port of the loopback interface.
   *
   * @param server the server behind it
   * @param poolSize how many sessions of the server its clients share at most
   * @throws ServerStartException if this machine has none, or it does not start
   */
  public static PgBouncerServer start(PostgresServer server, Mode mode, int poolSize) {
    return Ports.start(() -> make(server.port(), mode, poolSize, Ports.free()));
  }

  /** Makes one and does not start it. */
  static PgBouncerServer make(int backend, Mode mode, int poolSize, int port) {
    Path program = program().orElseThrow(() -> new ServerStartException(WHY_NONE, null));
    return new PgBouncerServer(program, backend, mode, poolSize, port);
  }

  /** Returns the URL of the server's database through it for JDBC, with the user in it. */
  public String jdbcUrl() {
    return "jdbc:postgresql://" + HOST + ":" + port() + "/postgres?user=" + PostgresServer.USER;
  }

  /**
   * Makes it read other settings while it runs. A session that a client has stays its own until it
   * has ended what it does.
   *
   * @param more further lines of its configuration, or an empty text
   */
  public void reload(Mode mode, int poolSize, String more) {
    configure(mode, poolSize, more);
    signal("HUP");
  }

  /** Lets begun transactions end and keeps later ones waiting (PAUSE). */
  public void pause() {
    signal("USR1");
  }

  /** Lets clients go on that {@link #pause} keeps waiting. */
  public void resume() {
    signal("USR2");
  }

  /** Kills it, if it still runs, and starts it again on the same port. */
  public void restart() {
    beginAgain();
  }

  private void configure(Mode mode, int poolSize, String more) {
    write(
        CONFIGURATION,
        "[databases]\npostgres = host=%s port=%d user=%s\n[pgbouncer]\n"
                .formatted(HOST, backend, PostgresServer.USER)
            + "listen_addr = %s\nlisten_port = %d\nunix_socket_dir =\n".formatted(HOST, port())
            + "auth_type = any\nauth_file = %s\npidfile = %s\n".formatted(USERS, PID_FILE)
            + "pool_mode = %s\ndefault_pool_size = %d\nmax_client_conn = 1000\n"
                .formatted(mode.name().toLowerCase(Locale.ROOT), poolSize)
            + "ignore_startup_parameters = extra_float_digits\n"
            + more
            + "\n");
  }

  private void write(String file, String text) {
    try {
      Files.writeString(folder().resolve(file), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  ServerProcess startProcess() {
    return ServerProcess.start(user.command(List.of(program.toString(), CONFIGURATION)), folder());
  }

  @Override
  Duration startLimit() {
    return START_LIMIT;
  }

  @Override
  boolean isAnswering() {
    return takesConnections();
  }

  /** Returns whether it has written its process's number. */
  @Override
  boolean isItself() {
    return !ownPidFile(folder().resolve(PID_FILE)).isEmpty();
  }

  @Override
  public String toString() {
    return "PgBouncer on port " + port();
  }

  private static Optional<Path> program() {
    return Platform.path().stream()
        .map(folder -> folder.resolve("pgbouncer"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
