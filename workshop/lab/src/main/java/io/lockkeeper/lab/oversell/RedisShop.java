package io.lockkeeper.lab.oversell;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.Objects;

/**
 * A shop in Redis: the stock is a number under a key, the orders are a list. There is one
 * connection, and each caller waits for its own answers.
 */
final class RedisShop implements Shop {

  private final RedisLine line;

  RedisShop(String url) {
    this.line = RedisLine.connect(url);
  }

  @Override
  public void fill(Article article, long stock) {
    clear(article);
    sync().set(article.stockKey(), Long.toString(stock));
  }

  @Override
  public Books read(Article article) {
    List<Long> tokens =
        sync().lrange(article.ordersKey(), 0, -1).stream()
            .map(it -> Long.valueOf(it.substring(it.indexOf(':') + 1)))
            .toList();
    return Books.of(stockLeft(article), tokens);
  }

  @Override
  public void clear(Article article) {
    sync().del(article.stockKey(), article.ordersKey());
  }

  @Override
  public long stockLeft(Article article) {
    String left = await(async().get(article.stockKey()));
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
    RedisFuture<Long> order = async().rpush(article.ordersKey(), leftAfterwards + ":" + token);
    RedisFuture<String> stock = async().set(article.stockKey(), Long.toString(leftAfterwards));
    await(order);
    await(stock);
  }

  static <T> T await(RedisFuture<T> answer) {
    return LettuceFutures.awaitOrCancel(answer, RedisLine.CALL_LIMIT.toMillis(), MILLISECONDS);
  }

  private RedisCommands<String, String> sync() {
    return line.connection().sync();
  }

  private RedisAsyncCommands<String, String> async() {
    return line.connection().async();
  }

  @Override
  public void close() {
    line.close();
  }
}
