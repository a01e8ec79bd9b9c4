package io.lockkeeper.lab.oversell.strategy;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lockkeeper.lab.oversell.pool.Pool;
import io.lockkeeper.lab.oversell.redis.RedisLine;
import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.shop.StoreKind;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** {@code WATCH}, read, {@code MULTI}, write, {@code EXEC}; again if another wrote in between. */
final class RedisWatch extends StoreStrategy {

  RedisWatch() {
    super(
        "watch",
        "WATCH, MULTI, EXEC on a pool of connections, at most " + Attempts.MOST + " attempts",
        StoreKind.REDIS);
  }

  @Override
  public Set<String> sentCommands() {
    return Set.of("watch", "unwatch", "get", "multi", "exec");
  }

  @Override
  public Sellers open(GuardContext context) {
    RedisLine line = RedisLine.connect(context.storeUrl());
    Pool<StatefulRedisConnection<String, String>> pool =
        new Pool<>(Pool.USUAL_SIZE, line.client()::connect, StatefulRedisConnection::close);
    Attempts attempts = new Attempts(context.seed());
    return new Sellers() {
      @Override
      public Seller seller(Article article) {
        return () -> attempts.run(() -> attempt(pool, article, context.points()));
      }

      @Override
      public void close() {
        pool.close();
        line.close();
      }
    };
  }

  private static Optional<Sale> attempt(
      Pool<StatefulRedisConnection<String, String>> pool, Article article, Points points) {
    StatefulRedisConnection<String, String> connection = pool.take();
    boolean usable = false;
    try {
      Optional<Sale> sale = attempt(connection.async(), article, points);
      usable = true;
      return sale;
    } finally {
      if (usable) {
        pool.giveBack(connection);
      } else {
        pool.discard(connection);
      }
    }
  }

  private static Optional<Sale> attempt(
      RedisAsyncCommands<String, String> redis, Article article, Points points) {
    long turnNanos = System.nanoTime();
    RedisFuture<String> watched = redis.watch(article.stockKey());
    RedisFuture<String> stock = redis.get(article.stockKey());
    await(watched);
    long left =
        Long.parseLong(Objects.requireNonNull(await(stock), "the stock is gone from the store"));
    points.at(Points.READ);
    if (left <= 0) {
      await(redis.unwatch());
      return Optional.of(new Sale(false, turnNanos));
    }
    RedisFuture<String> begun = redis.multi();
    var order = redis.rpush(article.ordersKey(), (left - 1) + ":" + Guard.NO_TOKEN);
    var rest = redis.set(article.stockKey(), Long.toString(left - 1));
    TransactionResult result = await(redis.exec());
    await(begun);
    if (result.wasDiscarded()) {
      return Optional.empty();
    }
    await(order);
    await(rest);
    return Optional.of(new Sale(true, turnNanos));
  }

  private static <T> T await(RedisFuture<T> answer) {
    return LettuceFutures.awaitOrCancel(answer, RedisLine.CALL_LIMIT.toMillis(), MILLISECONDS);
  }
}
