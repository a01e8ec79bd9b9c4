package io.lockkeeper.lab.oversell;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * {@code WATCH}, read, {@code MULTI}, write, {@code EXEC}, on one of ten connections; again if
 * another client wrote in between.
 */
final class RedisWatch implements Strategy {

  private static final int CONNECTIONS = 10;

  @Override
  public Sellers open(GuardContext context) {
    RedisLine line = RedisLine.connect(context.storeUrl());
    BlockingQueue<StatefulRedisConnection<String, String>> free =
        new ArrayBlockingQueue<>(CONNECTIONS, true);
    for (int i = 0; i < CONNECTIONS; i++) {
      free.add(line.client().connect());
    }
    Attempts attempts = new Attempts(context.seed());
    return new Sellers(
        article -> () -> attempts.run(() -> attempt(free, article, context.points())), line::close);
  }

  private static Optional<Boolean> attempt(
      BlockingQueue<StatefulRedisConnection<String, String>> free, Article article, Points points)
      throws InterruptedException {
    StatefulRedisConnection<String, String> connection = free.take();
    try {
      return attempt(connection.async(), article, points);
    } finally {
      free.add(connection);
    }
  }

  private static Optional<Boolean> attempt(
      RedisAsyncCommands<String, String> redis, Article article, Points points) {
    RedisFuture<String> watched = redis.watch(article.stockKey());
    RedisFuture<String> stock = redis.get(article.stockKey());
    RedisShop.await(watched);
    long left =
        Long.parseLong(
            Objects.requireNonNull(RedisShop.await(stock), "the stock is gone from the store"));
    points.at(Points.READ);
    if (left <= 0) {
      RedisShop.await(redis.unwatch());
      return Optional.of(false);
    }
    RedisFuture<String> begun = redis.multi();
    var order = redis.rpush(article.ordersKey(), (left - 1) + ":" + Guard.NO_TOKEN);
    var rest = redis.set(article.stockKey(), Long.toString(left - 1));
    TransactionResult result = RedisShop.await(redis.exec());
    RedisShop.await(begun);
    if (result.wasDiscarded()) {
      return Optional.empty();
    }
    RedisShop.await(order);
    RedisShop.await(rest);
    return Optional.of(true);
  }
}
