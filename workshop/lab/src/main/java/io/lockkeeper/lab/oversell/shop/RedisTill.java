package io.lockkeeper.lab.oversell.shop;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lockkeeper.lab.oversell.redis.RedisLine;
import java.util.Objects;

/** A seller's view of a shop in Redis: one connection, each caller waits for its own answers. */
final class RedisTill implements Till {

  private final RedisLine line;

  private RedisTill(RedisLine line) {
    this.line = line;
  }

  static RedisTill open(String url) {
    return new RedisTill(RedisLine.connect(url));
  }

  @Override
  public long stockLeft(Article article) {
    String left = await(redis().get(article.stockKey()));
    return Long.parseLong(Objects.requireNonNull(left, "the stock is gone from the store"));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Both commands travel together, the order first, so that the order is recorded by the time
   * the stock's answer is here: the list is then in the order of the critical sections.
   */
  @Override
  public void sell(Article article, long leftAfterwards, long token) {
    RedisFuture<Long> order = redis().rpush(article.ordersKey(), leftAfterwards + ":" + token);
    RedisFuture<String> stock = redis().set(article.stockKey(), Long.toString(leftAfterwards));
    await(order);
    await(stock);
  }

  /** Returns the token in a recorded order. */
  static long tokenOf(String order) {
    return Long.parseLong(order.substring(order.indexOf(':') + 1));
  }

  private static <T> T await(RedisFuture<T> answer) {
    return LettuceFutures.awaitOrCancel(answer, RedisLine.CALL_LIMIT.toMillis(), MILLISECONDS);
  }

  private RedisAsyncCommands<String, String> redis() {
    return line.connection().async();
  }

  @Override
  public void close() {
    line.close();
  }
}
