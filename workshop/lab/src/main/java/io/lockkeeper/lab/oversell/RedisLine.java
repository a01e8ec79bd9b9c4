package io.lockkeeper.lab.oversell;

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
  static final Duration CALL_LIMIT = Duration.ofSeconds(10);

  private static final Duration STOP_LIMIT = Duration.ofSeconds(2);

  /**
   * Connects to a server; what follows a question mark in its URL is for Lockkeeper alone.
   *
   * @throws CannotRunException if the server is out of reach or refuses the client
   */
  public static RedisLine connect(String url) {
    RedisURI uri = RedisURI.create(url.replaceFirst("\\?.*", ""));
    uri.setTimeout(CALL_LIMIT);
    RedisClient client = RedisClient.create(uri);
    try {
      return new RedisLine(client, client.connect());
    } catch (RedisException e) {
      client.shutdown(Duration.ZERO, STOP_LIMIT);
      throw new CannotRunException(
          "cannot connect to " + Secrets.hide(url) + " (" + Secrets.messageOf(e) + ")", e);
    }
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown(Duration.ZERO, STOP_LIMIT);
  }
}
