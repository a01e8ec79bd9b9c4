package io.lockkeeper.lab.oversell.zookeeper;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A ZooKeeper URL in Lockkeeper's spelling, for ZooKeeper's own client.
 *
 * @param servers hosts and ports, separated by commas
 * @param path the node under which everything is, or an empty text for the root
 */
record ZooKeeperAddress(String servers, String path) {

  private static final Pattern PARTS =
      Pattern.compile("zookeeper://([^/?#]+)(/[^?#]*)?(?:\\?.*)?", Pattern.CASE_INSENSITIVE);

  /**
   * Reads a URL that a store provider has found to be right.
   *
   * @throws IllegalArgumentException if it is malformed all the same
   */
  static ZooKeeperAddress parse(String url) {
    Matcher parts = PARTS.matcher(url);
    if (!parts.matches()) {
      throw new IllegalArgumentException("must be a URL such as zookeeper://host:2181");
    }
    String path = parts.group(2) == null ? "" : parts.group(2).replaceAll("/+$", "");
    String hosts = parts.group(1);
    return new ZooKeeperAddress(hosts.substring(hosts.lastIndexOf('@') + 1), path);
  }

  /** Returns the first host. */
  String firstHost() {
    String first = servers.split(",", -1)[0];
    int colon = first.lastIndexOf(':');
    return colon < 0 ? first : first.substring(0, colon);
  }

  /** Returns the first host's port. */
  int firstPort() {
    String first = servers.split(",", -1)[0];
    int colon = first.lastIndexOf(':');
    return colon < 0 ? 2181 : Integer.parseInt(first.substring(colon + 1));
  }
}
