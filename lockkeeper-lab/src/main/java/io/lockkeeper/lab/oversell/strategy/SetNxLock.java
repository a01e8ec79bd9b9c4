package io.lockkeeper.lab.oversell.strategy;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lockkeeper.lab.oversell.redis.RedisLine;
import io.lockkeeper.lab.oversell.shop.StoreKind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock that people write themselves: {@code SET key owner NX PX}, again after 40 ms if somebody
 * else has it, and a script that deletes the key only for its owner. One connection per process.
 */
final class SetNxLock implements GuardStrategy {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration RETRY = Duration.ofMillis(40);

  private static final String RELEASE =
      "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end"
          + " return 0";

  @Override
  public String name() {
    return "setnx";
  }

  @Override
  public String summary() {
    return "SET NX PX, retried every " + RETRY.toMillis() + " ms";
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
  public Set<String> sentCommands() {
    return Set.of("set", "evalsha");
  }

  @Override
  public Guards guards(GuardContext context) {
    RedisLine line = RedisLine.connect(context.storeUrl());
    StatefulRedisConnection<String, String> connection = line.connection();
    String script = connection.sync().scriptLoad(RELEASE);
    String owner = context.worker() + ":" + Long.toHexString(context.seed()) + ":";
    AtomicLong claims = new AtomicLong();
    return new Guards() {
      @Override
      public Guard guard(String name) {
        return new Door(connection, name, script, owner, claims);
      }

      @Override
      public void close() {
        line.close();
      }
    };
  }

  /** One lock key. What this thread wrote into it is remembered for the release. */
  private static final class Door implements Guard {

    private final StatefulRedisConnection<String, String> connection;
    private final String key;
    private final String script;
    private final String ownerPrefix;
    private final AtomicLong claims;
    private final ThreadLocal<String> owner = new ThreadLocal<>();

    Door(
        StatefulRedisConnection<String, String> connection,
        String key,
        String script,
        String ownerPrefix,
        AtomicLong claims) {
      this.connection = connection;
      this.key = key;
      this.script = script;
      this.ownerPrefix = ownerPrefix;
      this.claims = claims;
    }

    @Override
    public long enter() throws InterruptedException {
      String value = ownerPrefix + claims.incrementAndGet();
      SetArgs ifFree = SetArgs.Builder.nx().px(LEASE);
      while (!"OK".equals(connection.sync().set(key, value, ifFree))) {
        pause();
      }
      owner.set(value);
      return NO_TOKEN;
    }

    private static void pause() throws InterruptedException {
      long end = System.nanoTime() + RETRY.toNanos();
      for (long left = RETRY.toNanos(); left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    }

    @Override
    public void exit() {
      String value = owner.get();
      owner.remove();
      Long deleted =
          connection.sync().evalsha(script, ScriptOutputType.INTEGER, new String[] {key}, value);
      if (deleted != 1) {
        throw new IllegalStateException("the lock was lost before its release");
      }
    }
  }
}
