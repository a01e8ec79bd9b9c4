package io.lockkeeper.cli.oversell;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.cli.console.Secrets;
import io.lockkeeper.cli.oversell.shop.Shop;
import io.lockkeeper.cli.oversell.shop.Shops;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ServerStartException;
import org.jspecify.annotations.Nullable;

/** The store that a contest takes place in: one that is there already, or one started for it. */
final class Venue implements AutoCloseable {

  private final @Nullable RedisServer embedded;
  private final String url;
  private final Shop shop;

  private Venue(@Nullable RedisServer embedded, String url, Shop shop) {
    this.embedded = embedded;
    this.url = url;
    this.shop = shop;
  }

  /**
   * Opens it.
   *
   * @param url the store, or null for one of its own
   * @throws CannotRunException if it is out of reach or does not start
   */
  static Venue open(@Nullable String url) {
    return url == null ? embedded() : new Venue(null, url, Shops.open(url));
  }

  private static Venue embedded() {
    try {
      RedisServer server = RedisServer.start();
      try {
        return new Venue(server, server.url(), Shops.open(server.url()));
      } catch (RuntimeException e) {
        server.close();
        throw e;
      }
    } catch (ServerStartException e) {
      throw new CannotRunException(
          "cannot start an embedded Redis ("
              + e.getMessage()
              + "); install redis-server, or give --store the URL of a server that runs",
          e);
    }
  }

  boolean isEmbedded() {
    return embedded != null;
  }

  /** Returns the URL, which may hold a password. */
  String url() {
    return url;
  }

  /** Returns the URL for people. */
  String printableUrl() {
    return Secrets.hide(url);
  }

  Shop shop() {
    return shop;
  }

  @Override
  public void close() {
    shop.close();
    if (embedded != null) {
      embedded.close();
    }
  }
}
