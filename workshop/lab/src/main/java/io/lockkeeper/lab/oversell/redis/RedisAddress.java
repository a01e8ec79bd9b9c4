package io.lockkeeper.lab.oversell.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Redis URL in Lockkeeper's spelling, for Lettuce. The two differ in the parameters, most of
 * which are about Lockkeeper's own calls and mean nothing to a plain connection.
 */
final class RedisAddress {

  /** Schemes of topologies in which the stock can be kept. */
  static final Set<String> SCHEMES = Set.of("redis", "rediss", "redis-sentinel", "rediss-sentinel");

  private static final Pattern PARTS =
      Pattern.compile("([^:]+)(://[^?#]*)(?:\\?([^#]*))?(?:#(.*))?", Pattern.DOTALL);
  private static final Pattern MASTER = Pattern.compile("(?:.*&)?master=([^&]*).*");
  private static final Pattern VERIFY = Pattern.compile("(?:.*&)?verifyPeer=([^&]*).*");

  private RedisAddress() {}

  /**
   * Returns the address in a URL that a store provider has found to be right.
   *
   * @throws IllegalArgumentException if it is of a cluster
   */
  static RedisURI parse(String url) {
    Matcher parts = PARTS.matcher(url);
    if (!parts.matches()) {
      throw new IllegalArgumentException("must be a Redis URL");
    }
    String scheme = parts.group(1).toLowerCase(Locale.ROOT);
    String hosts = parts.group(2);
    String query = parts.group(3) == null ? "" : parts.group(3);
    if (scheme.endsWith("-sentinel")) {
      String fragment = parts.group(4) == null ? "" : parts.group(4);
      RedisURI uri = RedisURI.create(scheme + hosts + "#" + find(MASTER, query, fragment));
      return withTls(uri, query);
    }
    if (scheme.endsWith("-cluster") || hosts.substring(hosts.lastIndexOf('@') + 1).contains(",")) {
      throw new IllegalArgumentException("must be of one server or of Sentinels, not of a cluster");
    }
    return withTls(RedisURI.create(scheme + hosts), query);
  }

  private static RedisURI withTls(RedisURI uri, String query) {
    if (uri.isSsl()) {
      uri.setVerifyPeer(
          switch (find(VERIFY, query, "true")) {
            case "false" -> SslVerifyMode.NONE;
            case "ca" -> SslVerifyMode.CA;
            default -> SslVerifyMode.FULL;
          });
    }
    return uri;
  }

  private static String find(Pattern parameter, String query, String otherwise) {
    Matcher matcher = parameter.matcher(query);
    return matcher.matches() ? matcher.group(1) : otherwise;
  }
}
