package io.lockkeeper.lab.oversell.shop;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.oversell.redis.RedisLine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A shop in Redis: the stock is a number under a key, the orders are a list. */
final class RedisShop implements Shop {

  private static final int PAGE = 10_000;

  private final RedisLine line;

  private RedisShop(RedisLine line) {
    this.line = line;
  }

  static RedisShop open(String url) {
    return new RedisShop(RedisLine.connect(url));
  }

  @Override
  public String server() {
    Map<String, String> info = RedisInfo.fields(call(redis -> redis.info("server")));
    String valkey = info.get("valkey_version");
    return valkey != null ? "Valkey " + valkey : "Redis " + info.getOrDefault("redis_version", "?");
  }

  @Override
  public void fill(Article article, long stock) {
    call(redis -> redis.del(article.ordersKey()));
    call(redis -> redis.set(article.stockKey(), Long.toString(stock)));
  }

  @Override
  public Books read(Article article) {
    Optional<String> stock = call(redis -> Optional.ofNullable(redis.get(article.stockKey())));
    if (stock.isEmpty()) {
      throw new CannotRunException("somebody removed the key " + article.stockKey());
    }
    long sold = call(redis -> redis.llen(article.ordersKey()));
    return new Books(Long.parseLong(stock.get()), sold, regressions(article));
  }

  private long regressions(Article article) {
    TokenCheck tokens = new TokenCheck();
    for (long from = 0; ; from += PAGE) {
      long first = from;
      List<String> page = call(redis -> redis.lrange(article.ordersKey(), first, first + PAGE - 1));
      for (String order : page) {
        tokens.add(RedisTill.tokenOf(order));
      }
      if (page.size() < PAGE) {
        return tokens.regressions();
      }
    }
  }

  @Override
  public void clear(Article article) {
    call(redis -> redis.del(article.stockKey(), article.ordersKey()));
  }

  @Override
  public Map<String, Long> commandCalls() {
    Map<String, Long> calls = new HashMap<>();
    RedisInfo.fields(call(redis -> redis.info("commandstats")))
        .forEach((name, value) -> calls.put(RedisInfo.command(name), RedisInfo.calls(value)));
    calls.remove("info");
    return calls;
  }

  @Override
  public Map<String, Long> orderCalls(long reads, long sales) {
    return Map.of("get", reads, "rpush", sales, "set", sales);
  }

  private <T> T call(Function<RedisCommands<String, String>, T> command) {
    try {
      return command.apply(line.connection().sync());
    } catch (RedisException e) {
      throw new CannotRunException("the store does not play along: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    line.close();
  }
}
