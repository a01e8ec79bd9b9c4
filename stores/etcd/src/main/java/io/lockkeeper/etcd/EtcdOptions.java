package io.lockkeeper.etcd;

import io.lockkeeper.spi.Outcome;
import java.time.Duration;

/**
 * The options of a store, besides its client.
 *
 * @param describe where it is, for messages, without any secret
 * @param user who logs in, for messages; empty if that is not known
 * @param prefix what all keys begin with, with a slash at its end
 * @param timeout of a request
 * @param connectTimeout of the first request
 * @param sessionTimeout after which the servers take a silent client for dead
 */
record EtcdOptions(
    String describe,
    String user,
    String prefix,
    Duration timeout,
    Duration connectTimeout,
    Duration sessionTimeout) {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(10);

  /** Returns the defaults. */
  static EtcdOptions of(String describe) {
    return new EtcdOptions(
        describe, "", EtcdUrl.PREFIX + "/", TIMEOUT, CONNECT_TIMEOUT, SESSION_TIMEOUT);
  }

  EtcdOptions withPrefix(String newPrefix) {
    return new EtcdOptions(describe, user, newPrefix, timeout, connectTimeout, sessionTimeout);
  }

  EtcdOptions withTimeout(Duration newTimeout) {
    return new EtcdOptions(describe, user, prefix, newTimeout, connectTimeout, sessionTimeout);
  }

  EtcdOptions withSessionTimeout(Duration newTimeout) {
    return new EtcdOptions(describe, user, prefix, timeout, connectTimeout, newTimeout);
  }

  /** Returns the outcome of a request that failed. */
  <T> Outcome<T> outcome(Throwable failure) {
    String who = user.isEmpty() ? "this user" : "user '" + user + "'";
    return EtcdFailures.outcome(failure, who, prefix);
  }
}
