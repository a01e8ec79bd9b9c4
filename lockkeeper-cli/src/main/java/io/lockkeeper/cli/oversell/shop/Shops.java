package io.lockkeeper.cli.oversell.shop;

import io.lockkeeper.cli.oversell.redis.RedisLine;
import io.lockkeeper.spi.StoreProvider;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;

/** All kinds of store that a shop can be in, by the scheme of their URL. */
public final class Shops {

  /** The store's own commands for one order, to be told apart from those of its lock. */
  public static final String ORDER_COMMANDS = "GET, RPUSH, SET";

  private Shops() {}

  /**
   * Checks that a shop can be in this store, without connecting.
   *
   * @throws IllegalArgumentException if not
   */
  public static void check(String url) {
    int colon = url.indexOf(':');
    String scheme = colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
    for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
      if (provider.schemes().contains(scheme) && RedisLine.knows(scheme)) {
        provider.factory(url); // refuses what is malformed
        RedisLine.check(url);
        return;
      }
    }
    throw new IllegalArgumentException(
        "must be the URL of a store that several processes can reach, such as"
            + " redis://localhost:6379, rediss:// or redis-sentinel://, was '"
            + url
            + "'");
  }

  /** Connects the owner's side. */
  public static Shop open(String url) {
    return RedisShop.open(url);
  }

  /** Connects a seller's side. */
  public static Till openTill(String url) {
    return RedisTill.open(url);
  }

  /**
   * Returns how often each command ran for orders themselves.
   *
   * @param reads how often the stock was read
   * @param sales how often an order was recorded
   */
  public static Map<String, Long> orderCalls(long reads, long sales) {
    return Map.of("get", reads, "rpush", sales, "set", sales);
  }
}
