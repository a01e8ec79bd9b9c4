package io.lockkeeper.servers;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link RedisServer}. Each method returns this builder. */
public final class RedisServerBuilder {

  private static final int CLUSTER_BUS_DISTANCE = 10_000;

  private @Nullable RedisBinary binary;
  private boolean cluster;
  private boolean sentinel;
  private boolean replica;
  private boolean young;
  private boolean clientCertificates;
  private final RedisConfig options = new RedisConfig();
  Map<String, String> environment = Map.of();
  @Nullable String password;
  boolean tls;

  RedisServerBuilder() {}

  /** Chooses the program. Default: {@link RedisBinary#preferred()}. */
  public RedisServerBuilder binary(RedisBinary binary) {
    this.binary = Objects.requireNonNull(binary, "binary");
    return this;
  }

  /** Requires a password of the default user. */
  public RedisServerBuilder password(String password) {
    this.password = Objects.requireNonNull(password, "password");
    return this;
  }

  /** Speaks only TLS, with a certificate made for the occasion. */
  public RedisServerBuilder tls() {
    this.tls = true;
    return this;
  }

  /**
   * Speaks only TLS, and only with clients that show a certificate: the server's own, which is the
   * only one that it trusts.
   */
  public RedisServerBuilder clientCertificates() {
    this.clientCertificates = true;
    return tls();
  }

  /** Writes every change to disk before it is answered. */
  public RedisServerBuilder appendOnly() {
    return option("appendonly", "yes").option("appendfsync", "always");
  }

  /** Copies the data of another server and follows its changes. */
  public RedisServerBuilder replicaOf(RedisServer master) {
    this.replica = true;
    if (master.password() != null) {
      option("masterauth", master.password());
    }
    return option("replicaof", RedisServer.HOST, String.valueOf(master.port()));
  }

  /**
   * Limits the memory.
   *
   * @param amount such as {@code 10mb}
   * @param policy what to do at the limit, such as {@code noeviction}
   */
  public RedisServerBuilder maxMemory(String amount, String policy) {
    return option("maxmemory", amount).option("maxmemory-policy", policy);
  }

  /**
   * Leaves it to Lockkeeper's clients to find out that it has just been started: they take it for
   * one that may have lost its memory, and wait. Otherwise those that use the usual namespace, or
   * one of those that are used here, learn that it was empty.
   */
  public RedisServerBuilder young() {
    this.young = true;
    return this;
  }

  /** Adds a line to the configuration file. */
  public RedisServerBuilder option(String name, String... values) {
    options.add(name, (Object[]) values);
    return this;
  }

  /** Gives it these variables beside those that this process has. */
  public RedisServerBuilder environment(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
    return this;
  }

  RedisServerBuilder clusterNode() {
    this.cluster = true;
    return this;
  }

  RedisServerBuilder sentinel() {
    this.sentinel = true;
    return this;
  }

  /**
   * Starts the server and waits until it answers.
   *
   * @throws ServerStartException if it does not; the message has the end of the server's log
   */
  public RedisServer start() {
    RedisBinary program = binary == null ? RedisBinary.preferred() : binary;
    int distance = cluster ? CLUSTER_BUS_DISTANCE : 0;
    RedisServer server =
        Ports.start(() -> new RedisServer(this, program, Ports.freeWithCompanion(distance)));
    if (!young && !replica && !sentinel && !cluster) {
      server.tellThatItWasEmpty();
    }
    return server;
  }

  List<String> commandLine(RedisBinary program) {
    String path = program.path().toString();
    return sentinel ? List.of(path, "redis.conf", "--sentinel") : List.of(path, "redis.conf");
  }

  RedisConfig config(int port, @Nullable ServerCertificate certificate) {
    RedisConfig config = new RedisConfig().add("bind", RedisServer.HOST).add("daemonize", "no");
    if (certificate == null) {
      config.add("port", port);
    } else {
      config
          .add("port", 0)
          .add("tls-port", port)
          .add("tls-cert-file", certificate.certificatePem())
          .add("tls-key-file", certificate.keyPem())
          .add("tls-ca-cert-file", certificate.certificatePem())
          .add("tls-auth-clients", clientCertificates ? "yes" : "no");
    }
    if (password != null) {
      config.add("requirepass", password);
    }
    if (!sentinel) {
      // A new replica need not wait for others that might want the same snapshot.
      config.add("save", "").add("repl-diskless-sync-delay", 0);
    }
    if (cluster) {
      config.add("cluster-enabled", "yes");
    }
    return config.addAll(options);
  }
}
