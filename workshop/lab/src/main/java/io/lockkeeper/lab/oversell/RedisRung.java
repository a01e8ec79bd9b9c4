package io.lockkeeper.lab.oversell;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lockkeeper.lab.oversell.Guard.Guards;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The lock that people write themselves in Redis, as it grows: each rung cures the fault of the one
 * before. A client that finds it taken tries again after 40 ms. One connection per process.
 */
final class RedisRung implements Guard {

  /** What is done about the lock's key. */
  enum Step {
    /** EXISTS, then SET: two can find it free. */
    EXISTS("exists"),
    /** SET NX: the key of a dead holder stays. */
    SETNX("setnxBare"),
    /** With an expiry: a late holder deletes the next one's key. */
    EXPIRY("expiry"),
    /** With the owner's value: the key can change hands between GET and DEL. */
    OWNER("owner"),
    /** Compared and deleted in one script: a nested call waits for itself. */
    SCRIPT("setnx"),
    /** A hash that counts the owner's holds: work can be longer than the lease. */
    HASH("hash"),
    /** Renewed while it is held. */
    RENEWAL("renewal");

    private final String title;

    Step(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  private static final Duration RETRY = Duration.ofMillis(40);

  private static final String RELEASE =
      "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end"
          + " return 0";

  private static final String ENTER_HASH =
      "if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[1]) == 1 then"
          + " redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], ARGV[2])"
          + " return 1 end return 0";

  private static final String EXIT_HASH =
      "if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end"
          + " if redis.call('hincrby', KEYS[1], ARGV[1], -1) == 0 then redis.call('del', KEYS[1])"
          + " end return 1";

  private static final String RENEW_HASH =
      "if redis.call('hexists', KEYS[1], ARGV[1]) == 1 then"
          + " return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0";

  private final Step step;
  private final RedisCommands<String, String> redis;
  private final String key;
  private final String process;
  private final GuardContext context;
  private final ScheduledExecutorService timer;
  private final ConcurrentHashMap<String, ScheduledFuture<?>> renewals = new ConcurrentHashMap<>();

  private RedisRung(
      Step step,
      RedisCommands<String, String> redis,
      String key,
      GuardContext context,
      ScheduledExecutorService timer) {
    this.step = step;
    this.redis = redis;
    this.key = key;
    this.process = context.worker() + ":" + Long.toHexString(context.seed()) + ":";
    this.context = context;
    this.timer = timer;
  }

  static Guards guards(Step step, GuardContext context) {
    RedisLine line = RedisLine.connect(context.storeUrl());
    RedisCommands<String, String> redis = line.connection().sync();
    List.of(RELEASE, ENTER_HASH, EXIT_HASH, RENEW_HASH).forEach(redis::scriptLoad);
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    return new Guards(
        name -> new RedisRung(step, redis, name, context, timer),
        () -> {
          timer.shutdownNow();
          line.close();
        });
  }

  @Override
  public long enter() throws InterruptedException {
    String owner = owner();
    while (!take(owner)) {
      TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
    }
    if (step == Step.RENEWAL) {
      renewals.computeIfAbsent(owner, this::renewal);
    }
    return NO_TOKEN;
  }

  private String owner() {
    return process + Thread.currentThread().getId();
  }

  private boolean take(String owner) {
    return switch (step) {
      case EXISTS -> {
        boolean free = redis.exists(key) == 0;
        if (free) {
          context.points().at(Points.FREE);
          redis.set(key, owner);
        }
        yield free;
      }
      case SETNX -> "OK".equals(redis.set(key, owner, SetArgs.Builder.nx()));
      case EXPIRY, OWNER, SCRIPT ->
          "OK".equals(redis.set(key, owner, SetArgs.Builder.nx().px(context.lease())));
      case HASH, RENEWAL -> run(ENTER_HASH, owner, Long.toString(context.lease().toMillis()));
    };
  }

  private ScheduledFuture<?> renewal(String owner) {
    long period = context.lease().toMillis() / 3;
    return timer.scheduleAtFixedRate(
        () -> run(RENEW_HASH, owner, Long.toString(context.lease().toMillis())),
        period,
        period,
        TimeUnit.MILLISECONDS);
  }

  @Override
  public void exit() {
    String owner = owner();
    ScheduledFuture<?> renewal = renewals.remove(owner);
    if (renewal != null) {
      renewal.cancel(false);
    }
    boolean mine =
        switch (step) {
          case EXISTS, SETNX, EXPIRY -> redis.del(key) == 1;
          case OWNER -> compareAndDelete(owner);
          case SCRIPT -> run(RELEASE, owner);
          case HASH, RENEWAL -> run(EXIT_HASH, owner);
        };
    if (!mine) {
      throw new IllegalStateException("the lock was lost before its release");
    }
  }

  private boolean compareAndDelete(String owner) {
    if (!owner.equals(redis.get(key))) {
      return false;
    }
    context.points().at(Points.COMPARED);
    return redis.del(key) == 1;
  }

  private boolean run(String script, String... arguments) {
    Long answer =
        redis.evalsha(
            redis.digest(script), ScriptOutputType.INTEGER, new String[] {key}, arguments);
    return answer == 1;
  }
}
