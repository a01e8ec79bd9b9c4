package io.lockkeeper.cli.oversell.shop;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.cli.console.Secrets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Redis URLs and how to connect to one. */
final class RedisAddress {

  /** The hosts and ports, behind user and password. */
  private static final Pattern AUTHORITY = Pattern.compile("://(?:.*@)?([^/?#@]*)");

  private static final Duration CALL_LIMIT = Duration.ofSeconds(10);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(2);

  private RedisAddress() {}

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException if it is malformed; the message has no password
   */
  static RedisURI parse(String url) {
    try {
      checkPorts(url);
      RedisURI uri = RedisURI.create(url);
      uri.setTimeout(CALL_LIMIT);
      return uri;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "is not a Redis URL such as redis://localhost:6379: '" + Secrets.hide(url) + "'", e);
    }
  }

  /** Lettuce takes a port that is not a number for a part of the host's name. */
  private static void checkPorts(String url) {
    Matcher authority = AUTHORITY.matcher(url);
    if (authority.find()) {
      for (String host : authority.group(1).split(",", -1)) {
        int colon = host.lastIndexOf(':');
        if (colon > host.lastIndexOf(']') && !host.substring(colon + 1).matches("\\d{1,5}")) {
          throw new IllegalArgumentException("port");
        }
      }
    }
  }

  /** A client with its one connection. */
  record Line(RedisClient client, StatefulRedisConnection<String, String> connection)
      implements AutoCloseable {

    @Override
    public void close() {
      connection.close();
      client.shutdown(Duration.ZERO, STOP_LIMIT);
    }
  }

  /**
   * Connects.
   *
   * @throws CannotRunException if the server is out of reach or refuses the client
   */
  static Line connect(String url) {
    RedisClient client = RedisClient.create(parse(url));
    try {
      return new Line(client, client.connect());
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
}
