package io.lockkeeper.servers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a database server. Each method returns this builder.
 *
 * @param <S> the kind of server
 */
public final class SqlServerBuilder<S extends SqlServer> {

  private final SqlBinaries binaries;
  private final Function<SqlServerSettings, S> maker;
  private @Nullable SqlBinary binary;
  private boolean durable;
  private final Map<String, String> options = new LinkedHashMap<>();
  private final Map<String, String> environment = new LinkedHashMap<>();

  SqlServerBuilder(SqlBinaries binaries, Function<SqlServerSettings, S> maker) {
    this.binaries = binaries;
    this.maker = maker;
  }

  /** Chooses the program. Default: {@link SqlBinaries#preferred()}. */
  public SqlServerBuilder<S> binary(SqlBinary binary) {
    this.binary = Objects.requireNonNull(binary, "binary");
    return this;
  }

  /**
   * Waits for the disk at every commit. Otherwise commits outlive the server's processes, but not
   * the machine.
   */
  public SqlServerBuilder<S> durable() {
    this.durable = true;
    return this;
  }

  /** Sets a parameter or variable of the server, such as {@code max_connections}. */
  public SqlServerBuilder<S> option(String name, String value) {
    options.put(name, value);
    return this;
  }

  /** Puts more into the environment of its processes, such as that of a {@code ClockShim}. */
  public SqlServerBuilder<S> environment(Map<String, String> more) {
    environment.putAll(more);
    return this;
  }

  /**
   * Starts the server and waits until it answers.
   *
   * @throws ServerStartException if it does not, the message has the end of the server's log; or if
   *     there is no such server here
   */
  public S start() {
    return Ports.start(
        this::make,
        server -> {
          server.initialize();
          server.begin();
        },
        SqlServer::wasPortTaken,
        SqlServer::close);
  }

  /** Makes the server, on a free port, and does not start it. */
  S make() {
    return make(Ports.free());
  }

  /** As above, on this port. */
  S make(int port) {
    return maker.apply(
        new SqlServerSettings(
            binary == null ? anyBinary() : binary,
            port,
            durable,
            new LinkedHashMap<>(options),
            Map.copyOf(environment)));
  }

  private SqlBinary anyBinary() {
    return binaries
        .preferred()
        .orElseThrow(() -> new ServerStartException(binaries.whyNone(), null));
  }
}
