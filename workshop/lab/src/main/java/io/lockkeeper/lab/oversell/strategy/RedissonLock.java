package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.StoreKind;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's locks with default settings. */
final class RedissonLock implements GuardStrategy {

  private static final long CLOSE_LIMIT_SECONDS = 3;

  private final boolean fair;

  RedissonLock(boolean fair) {
    this.fair = fair;
  }

  @Override
  public String name() {
    return fair ? "redissonFair" : "redisson";
  }

  @Override
  public String summary() {
    return fair ? "Redisson's getFairLock()" : "Redisson's getLock()";
  }

  @Override
  public Scope scope() {
    return Scope.ALL_PROCESSES;
  }

  @Override
  public Set<StoreKind> stores() {
    return EnumSet.of(StoreKind.REDIS);
  }

  @Override
  public Guards guards(GuardContext context) {
    Config config = new Config();
    config.useSingleServer().setAddress(context.storeUrl());
    RedissonClient redisson = Redisson.create(config);
    return new Guards() {
      @Override
      public Guard guard(String name) {
        return new JavaLock(fair ? redisson.getFairLock(name) : redisson.getLock(name));
      }

      @Override
      public void close() {
        redisson.shutdown(0, CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS);
      }
    };
  }
}
