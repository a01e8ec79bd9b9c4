package io.lockkeeper.lab.oversell.shop;

import io.lockkeeper.lab.oversell.etcd.EtcdLine;
import io.lockkeeper.lab.oversell.redis.RedisLine;
import io.lockkeeper.lab.oversell.sql.SqlLine;
import io.lockkeeper.lab.oversell.zookeeper.ZooKeeperLine;
import io.lockkeeper.spi.StoreProvider;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;

/** All kinds of store that a shop can be in, by the scheme of their URL. */
public final class Shops {

  private Shops() {}

  /**
   * Checks that a shop can be in this store, without connecting.
   *
   * @throws IllegalArgumentException if not
   */
  public static void check(String url) {
    StoreProvider provider = provider(url).orElseThrow(() -> unknown(url));
    provider.factory(url); // refuses what is malformed
    switch (kind(url)) {
      case REDIS -> RedisLine.check(url);
      case ZOOKEEPER -> ZooKeeperLine.check(url);
      case ETCD -> EtcdLine.check(url);
      case SQL -> SqlLine.check(url);
    }
  }

  private static Optional<StoreProvider> provider(String url) {
    String scheme = scheme(url);
    return ServiceLoader.load(StoreProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.schemes().contains(scheme))
        .filter(provider -> findKind(scheme).isPresent())
        .findFirst();
  }

  private static String scheme(String url) {
    int colon = url.indexOf(':');
    return colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
  }

  private static Optional<StoreKind> findKind(String scheme) {
    if (RedisLine.knows(scheme)) {
      return Optional.of(StoreKind.REDIS);
    }
    return switch (scheme) {
      case "zookeeper" -> Optional.of(StoreKind.ZOOKEEPER);
      case "etcd", "etcds" -> Optional.of(StoreKind.ETCD);
      case "jdbc" -> Optional.of(StoreKind.SQL);
      default -> Optional.empty();
    };
  }

  private static IllegalArgumentException unknown(String url) {
    return new IllegalArgumentException(
        "must be the URL of a store that several processes can reach, such as"
            + " redis://localhost:6379, rediss:// or redis-sentinel://, zookeeper://localhost:2181,"
            + " etcd://localhost:2379, jdbc:postgresql:, jdbc:mariadb: or jdbc:sqlite:FILE, was '"
            + url
            + "'");
  }

  /**
   * Returns the kind of store that a URL is of.
   *
   * @throws IllegalArgumentException if it is none in which a shop can be
   */
  public static StoreKind kind(String url) {
    return findKind(scheme(url)).orElseThrow(() -> unknown(url));
  }

  /** Connects the owner's side. */
  public static Shop open(String url) {
    return switch (kind(url)) {
      case REDIS -> RedisShop.open(url);
      case ZOOKEEPER -> ZooKeeperShop.open(url);
      case ETCD -> EtcdShop.open(url);
      case SQL -> SqlShop.open(url);
    };
  }

  /** Connects a seller's side of a SQL database that refuses a write with an old token. */
  public static Till openFencedTill(String url) {
    return SqlTill.open(url, true);
  }

  /** Connects a seller's side. */
  public static Till openTill(String url) {
    return switch (kind(url)) {
      case REDIS -> RedisTill.open(url);
      case ZOOKEEPER -> ZooKeeperTill.open(url);
      case ETCD -> EtcdTill.open(url);
      case SQL -> SqlTill.open(url, false);
    };
  }
}
