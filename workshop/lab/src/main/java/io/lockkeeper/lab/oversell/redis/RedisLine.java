package io.lockkeeper.lab.oversell.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.console.Secrets;
import java.time.Duration;

/**
 * A client of Redis with one connection, shared by all threads of the process.
 *
 * @param client the client
 * @param connection its connection
 */
public record RedisLine(RedisClient client, StatefulRedisConnection<String, String> connection)
    implements AutoCloseable {

  /** How long a call may take. */
  public static final Duration CALL_LIMIT = Duration.ofSeconds(10);

  private static final Duration STOP_LIMIT = Duration.ofSeconds(2);

  /**
   * Checks that it can connect to such a URL, without connecting.
   *
   * @throws IllegalArgumentException if not
   */
  public static void check(String url) {
    RedisAddress.parse(url);
  }

  /** Returns whether a URL of this scheme (in lower case) is one of Redis. */
  public static boolean knows(String scheme) {
    return RedisAddress.SCHEMES.contains(scheme);
  }

  /**
   * Connects.
   *
   * @throws CannotRunException if the server is out of reach or refuses the client
   */
  public static RedisLine connect(String url) {
    RedisURI uri = RedisAddress.parse(url);
    uri.setTimeout(CALL_LIMIT);
    RedisClient client = RedisClient.create(uri);
    try {
      return new RedisLine(client, client.connect());
    } catch (RedisException e) {
      client.shutdown(Duration.ZERO, STOP_LIMIT);
      throw new CannotRunException(
          "cannot connect to "
              + Secrets.hide(url)
              + " ("
              + Secrets.hide(reason(e))
              + "); start a Redis server there, correct --store, or leave it out for an embedded"
              + " server",
          e);
    }
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return message == null
        ? cause.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown(Duration.ZERO, STOP_LIMIT);
  }
}
