package io.lockkeeper.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link MariaDbServer}. Each method returns this builder. */
public final class MariaDbServerBuilder {

  private static final int START_ATTEMPTS = 5;

  private @Nullable MariaDbBinary binary;
  private boolean durable;
  private final List<String> options = new ArrayList<>();

  MariaDbServerBuilder() {}

  /** Chooses the program. Default: {@link MariaDbBinary#preferred()}. */
  public MariaDbServerBuilder binary(MariaDbBinary binary) {
    this.binary = Objects.requireNonNull(binary, "binary");
    return this;
  }

  /**
   * Waits for the disk at every commit. Otherwise commits outlive the server's process, but not the
   * machine.
   */
  public MariaDbServerBuilder durable() {
    this.durable = true;
    return this;
  }

  /** Sets a server variable, such as {@code max_connections}. */
  public MariaDbServerBuilder option(String name, String value) {
    options.add("--" + name.replace('_', '-') + "=" + value);
    return this;
  }

  /**
   * Starts the server and waits until it answers.
   *
   * @throws ServerStartException if it does not, the message has the end of the server's log; or if
   *     there is no MariaDB
   */
  public MariaDbServer start() {
    MariaDbBinary program = binary == null ? anyBinary() : binary;
    for (int attempt = 1; ; attempt++) {
      MariaDbServer server = new MariaDbServer(this, program, Ports.free());
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

  private static MariaDbBinary anyBinary() {
    return MariaDbBinary.preferred()
        .orElseThrow(
            () ->
                new ServerStartException(
                    "no MariaDB that runs here: neither installed nor on the class path for "
                        + Platform.name(),
                    null));
  }

  /** Returns what makes the files of an empty database out of the SQL on its input. */
  List<String> bootstrapLine(MariaDbBinary program, Path folder) {
    List<String> command = commonLine(program, folder);
    command.add("--debug-no-sync");
    command.add("--bootstrap");
    return command;
  }

  List<String> commandLine(MariaDbBinary program, Path folder, int port) {
    List<String> command = commonLine(program, folder);
    command.addAll(
        List.of(
            "--bind-address=" + MariaDbServer.HOST,
            "--port=" + port,
            "--socket=" + folder.resolve("socket"),
            "--pid-file=" + folder.resolve("pid"),
            "--init-file=" + folder.resolve(MariaDbServer.INIT_FILE),
            "--skip-name-resolve"));
    if (!durable) {
      command.addAll(List.of("--debug-no-sync", "--innodb-flush-log-at-trx-commit=2"));
    }
    command.addAll(options);
    return command;
  }

  private static List<String> commonLine(MariaDbBinary program, Path folder) {
    List<String> command = new ArrayList<>();
    command.add(program.program().toString());
    command.add("--no-defaults"); // comes first
    command.addAll(
        List.of(
            "--datadir=" + folder.resolve(MariaDbServer.DATA_FOLDER),
            "--tmpdir=" + folder,
            "--lc-messages-dir=" + program.share(),
            "--character-sets-dir=" + program.share().resolve("charsets"),
            "--character-set-server=utf8mb4",
            // A certificate of its own would take it seconds to make.
            "--skip-ssl",
            "--skip-log-bin",
            "--aria-log-file-size=8M",
            "--innodb-buffer-pool-size=32M",
            "--innodb-log-file-size=16M",
            "--innodb-data-file-path=ibdata1:4M:autoextend",
            "--innodb-temp-data-file-path=ibtmp1:4M:autoextend"));
    if (Unprivileged.isRoot(folder)) {
      command.add("--user=root"); // as root it runs only if told so
    }
    return command;
  }
}
