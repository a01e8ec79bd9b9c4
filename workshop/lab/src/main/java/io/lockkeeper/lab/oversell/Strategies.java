package io.lockkeeper.lab.oversell;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.lab.oversell.CachedStock.Keys;
import io.lockkeeper.lab.oversell.Guard.Guards;
import io.lockkeeper.lab.oversell.RedisRung.Step;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** All strategies, by their names in the scenes. */
public final class Strategies {

  private static final int RETRY_MILLIS = 100;
  private static final int RETRIES = 3;
  private static final long CLOSE_LIMIT_SECONDS = 3;

  private static final Map<String, Strategy> ALL = all();

  private Strategies() {}

  private static Map<String, Strategy> all() {
    Map<String, Strategy> all = new HashMap<>();
    all.put("none", guarded(context -> new Guards(name -> Guard.of(() -> {}, () -> {}), () -> {})));
    all.put("jvm", guarded(context -> Guards.ofLocks(name -> new ReentrantLock(), () -> {})));
    all.put("lock", guarded(context -> keeper(context, false)));
    all.put("fairLock", guarded(context -> keeper(context, true)));
    all.put("lockFenced", Strategy.guarded(context -> keeper(context, false), true));
    for (Step step : Step.values()) {
      all.put(step.title(), guarded(context -> RedisRung.guards(step, context)));
    }
    all.put("watch", new RedisWatch());
    for (SqlStrategy strategy : SqlStrategy.values()) {
      all.put(strategy.title(), strategy);
    }
    all.put("lockTable", guarded(SqlLockTable::guards));
    all.put("ephemeral", guarded(context -> ZooKeeperNode.guards(context, false)));
    all.put("sequential", guarded(context -> ZooKeeperNode.guards(context, true)));
    all.put("curator", guarded(Strategies::curator));
    all.put("redisson", guarded(context -> redisson(context, false)));
    all.put("redissonFair", guarded(context -> redisson(context, true)));
    for (Keys keys : Keys.values()) {
      all.put("cachePlain" + keys.suffix(), new CachedStock(false, keys));
      all.put("cacheGuard" + keys.suffix(), new CachedStock(true, keys));
    }
    return all;
  }

  private static Strategy guarded(Strategy.Opener guards) {
    return Strategy.guarded(guards, false);
  }

  public static Optional<Strategy> find(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  /** Redisson's locks with default settings. */
  private static Guards redisson(GuardContext context, boolean fair) {
    Config config = new Config();
    config.useSingleServer().setAddress(context.storeUrl());
    RedissonClient redisson = Redisson.create(config);
    return Guards.ofLocks(
        name -> fair ? redisson.getFairLock(name) : redisson.getLock(name),
        () -> redisson.shutdown(0, CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  private static Guards curator(GuardContext context) {
    CuratorFramework curator =
        CuratorFrameworkFactory.newClient(
            URI.create(context.storeUrl()).getAuthority(),
            new ExponentialBackoffRetry(RETRY_MILLIS, RETRIES));
    curator.start();
    return new Guards(
        name -> {
          InterProcessMutex mutex = new InterProcessMutex(curator, "/lab-curator-" + name);
          return Guard.of(mutex::acquire, mutex::release);
        },
        curator::close);
  }

  /** Lockkeeper's own locks, through the public API and with default settings. */
  private static Guards keeper(GuardContext context, boolean fair) {
    Lockkeeper keeper =
        Lockkeeper.builder()
            .namespace("lockkeeper-oversell")
            .clientName("instance " + context.worker())
            .lease(context.lease())
            .connect(context.storeUrl());
    return new Guards(
        name -> {
          DistributedLock lock = fair ? keeper.fairLock(name) : keeper.lock(name);
          return new Guard.Steps(lock::lock, lock::token, lock::unlock);
        },
        keeper::close);
  }
}
