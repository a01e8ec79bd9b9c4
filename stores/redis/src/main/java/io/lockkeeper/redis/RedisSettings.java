package io.lockkeeper.redis;

import io.lettuce.core.SslVerifyMode;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that a URL says.
 *
 * @param topology how the servers stand to each other
 * @param addresses the servers, or the Sentinels
 * @param user the account, or null for the default one
 * @param password its password, or null for none
 * @param database the database's number
 * @param tls how TLS is spoken, or null for no TLS
 * @param master the name under which the Sentinels know the master; empty without Sentinels
 * @param sentinelUser the account at the Sentinels, or null for the default one
 * @param sentinelPassword its password, or null for none
 * @param timeout how long a call may take
 * @param connectTimeout how long connecting to a server may take
 * @param replication how many replicas must have a grant before it counts
 * @param loss what becomes of locks after a server has lost its memory
 * @param push whether to hear what the servers publish
 */
record RedisSettings(
    Topology topology,
    List<Address> addresses,
    @Nullable String user,
    @Nullable String password,
    int database,
    @Nullable Tls tls,
    String master,
    @Nullable String sentinelUser,
    @Nullable String sentinelPassword,
    Duration timeout,
    Duration connectTimeout,
    Replication replication,
    LossRule loss,
    boolean push) {

  /**
   * How TLS is spoken.
   *
   * @param verification how the servers' certificates are checked
   * @param files the certificates and the key
   */
  record Tls(SslVerifyMode verification, RenewedTls files) {}

  /** How servers stand to each other. */
  enum Topology {
    SINGLE("redis"),
    SENTINEL("redis-sentinel"),
    CLUSTER("redis-cluster");

    final String scheme;

    Topology(String scheme) {
      this.scheme = scheme;
    }
  }

  /** Returns where the servers are, without secrets. */
  String describe() {
    String hosts = addresses.stream().map(Address::toString).collect(Collectors.joining(","));
    String scheme = topology.scheme.replaceFirst("^redis", tls == null ? "redis" : "rediss");
    return scheme
        + "://"
        + hosts
        + (database == 0 ? "" : "/" + database)
        + (master.isEmpty() ? "" : "?master=" + master);
  }

  /** Does not have the passwords. */
  @Override
  public String toString() {
    return describe();
  }
}
