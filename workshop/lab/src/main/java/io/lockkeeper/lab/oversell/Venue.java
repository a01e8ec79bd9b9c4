package io.lockkeeper.lab.oversell;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.console.Secrets;
import io.lockkeeper.lab.oversell.shop.Shop;
import io.lockkeeper.lab.oversell.shop.Shops;
import io.lockkeeper.servers.ServerStartException;
import org.jspecify.annotations.Nullable;

/** The store that a contest takes place in: one that is there already, or one started for it. */
final class Venue implements AutoCloseable {

  private final @Nullable AutoCloseable embedded;
  private final String url;
  private final Shop shop;

  private Venue(@Nullable AutoCloseable embedded, String url, Shop shop) {
    this.embedded = embedded;
    this.url = url;
    this.shop = shop;
  }

  /**
   * Opens one that is there.
   *
   * @throws CannotRunException if it is out of reach
   */
  static Venue open(String url) {
    return new Venue(null, url, Shops.open(url));
  }

  /**
   * Opens one of its own.
   *
   * @throws ServerStartException if this machine does not have it
   * @throws CannotRunException if it does not play along
   */
  static Venue open(EmbeddedStore kind) {
    EmbeddedStore.Running store = kind.start();
    try {
      return new Venue(store.server(), store.url(), Shops.open(store.url()));
    } catch (RuntimeException e) {
      close(store.server());
      throw e;
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
      close(embedded);
    }
  }

  private static void close(AutoCloseable server) {
    try {
      server.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
