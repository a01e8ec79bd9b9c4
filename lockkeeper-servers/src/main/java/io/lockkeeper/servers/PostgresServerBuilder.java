package io.lockkeeper.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link PostgresServer}. Each method returns this builder. */
public final class PostgresServerBuilder {

  private static final int START_ATTEMPTS = 5;

  private @Nullable PostgresBinary binary;
  private boolean durable;
  private final List<String> options = new ArrayList<>();

  PostgresServerBuilder() {}

  /** Chooses the program. Default: {@link PostgresBinary#preferred()}. */
  public PostgresServerBuilder binary(PostgresBinary binary) {
    this.binary = Objects.requireNonNull(binary, "binary");
    return this;
  }

  /**
   * Waits for the disk at every commit. Otherwise commits outlive the server's processes, but not
   * the machine.
   */
  public PostgresServerBuilder durable() {
    this.durable = true;
    return this;
  }

  /** Sets a configuration parameter, such as {@code max_connections}. */
  public PostgresServerBuilder option(String name, String value) {
    options.add("-c");
    options.add(name + "=" + value);
    return this;
  }

  /**
   * Starts the server and waits until it answers.
   *
   * @throws ServerStartException if it does not, the message has the end of the server's log; or if
   *     there is no PostgreSQL
   */
  public PostgresServer start() {
    PostgresBinary program = binary == null ? anyBinary() : binary;
    for (int attempt = 1; ; attempt++) {
      PostgresServer server = new PostgresServer(this, program, Ports.free());
      try {
        server.initialize();
        server.launch();
        return server;
      } catch (ServerStartException e) {
        boolean otherPortMayDo = server.wasPortTaken();
        server.close();
        if (!otherPortMayDo || attempt == START_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static PostgresBinary anyBinary() {
    return PostgresBinary.preferred()
        .orElseThrow(
            () ->
                new ServerStartException(
                    "no PostgreSQL that runs here: neither on the PATH nor in /usr/lib/postgresql"
                        + " nor on the class path for "
                        + Platform.name(),
                    null));
  }

  List<String> commandLine(PostgresBinary program, int port) {
    List<String> command =
        new ArrayList<>(
            List.of(program.program("postgres").toString(), "-D", PostgresServer.DATA_FOLDER));
    List<String> defaults =
        List.of(
            "listen_addresses=" + PostgresServer.HOST,
            "port=" + port,
            "unix_socket_directories=",
            "shared_buffers=32MB",
            "fsync=" + (durable ? "on" : "off"));
    for (String option : defaults) {
      command.add("-c");
      command.add(option);
    }
    command.addAll(options);
    return command;
  }
}
