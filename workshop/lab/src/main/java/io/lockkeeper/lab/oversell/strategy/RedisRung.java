package io.lockkeeper.lab.oversell.strategy;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lockkeeper.lab.oversell.redis.RedisLine;
import io.lockkeeper.lab.oversell.shop.StoreKind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The lock that people write themselves in Redis, as it grows: each rung cures the fault of the one
 * before. A client that finds it taken tries again after 40 ms. One connection per process.
 */
final class RedisRung implements GuardStrategy {

  /** What is done about the lock's key. */
  enum Step {
    /** EXISTS, then SET: two can find it free. */
    EXISTS("exists", "EXISTS, then SET; DEL"),
    /** SET NX: the key of a dead holder stays. */
    SETNX("setnxBare", "SET NX; DEL"),
    /** With an expiry: a late holder deletes the next one's key. */
    EXPIRY("expiry", "SET NX PX; DEL"),
    /** With the owner's value: the key can change hands between GET and DEL. */
    OWNER("owner", "SET NX PX with an owner; GET, then DEL"),
    /** Compared and deleted in one script: a nested call waits for itself. */
    SCRIPT("setnx", "SET NX PX, retried every " + RETRY.toMillis() + " ms"),
    /** A hash that counts the owner's holds: work can be longer than the lease. */
    HASH("hash", "a hash with owner and count, by scripts"),
    /** Renewed while it is held. */
    RENEWAL("renewal", "the hash, renewed at a third of its lease");

    private final String title;
    private final String summary;

    Step(String title, String summary) {
      this.title = title;
      this.summary = summary;
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

  RedisRung(Step step) {
    this.step = step;
  }

  @Override
  public String name() {
    return step.title;
  }

  @Override
  public String summary() {
    return step.summary;
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
    String process = context.worker() + ":" + Long.toHexString(context.seed()) + ":";
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    return new Guards() {
      @Override
      public Guard guard(String name) {
        return new Door(step, line.connection().sync(), name, process, context, timer);
      }

      @Override
      public void close() {
        timer.shutdownNow();
        line.close();
      }
    };
  }

  /** One lock key. Its owner is a thread of a process. */
  private static final class Door implements Guard {

    private final Step step;
    private final RedisCommands<String, String> redis;
    private final String key;
    private final String process;
    private final Points points;
    private final ScheduledExecutorService timer;
    private final Duration lease;
    private final String enterHash;
    private final String exitHash;
    private final String renewHash;
    private final String release;
    private final ConcurrentHashMap<String, ScheduledFuture<?>> renewals =
        new ConcurrentHashMap<>();

    Door(
        Step step,
        RedisCommands<String, String> redis,
        String key,
        String process,
        GuardContext context,
        ScheduledExecutorService timer) {
      this.step = step;
      this.redis = redis;
      this.key = key;
      this.process = process;
      this.points = context.points();
      this.timer = timer;
      this.lease = context.lease();
      this.release = redis.scriptLoad(RELEASE);
      this.enterHash = redis.scriptLoad(ENTER_HASH);
      this.exitHash = redis.scriptLoad(EXIT_HASH);
      this.renewHash = redis.scriptLoad(RENEW_HASH);
    }

    @Override
    public long enter() throws InterruptedException {
      String owner = owner();
      while (!take(owner)) {
        Attempts.pause(RETRY.toNanos());
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
            points.at(Points.FREE);
            redis.set(key, owner);
          }
          yield free;
        }
        case SETNX -> "OK".equals(redis.set(key, owner, SetArgs.Builder.nx()));
        case EXPIRY, OWNER, SCRIPT ->
            "OK".equals(redis.set(key, owner, SetArgs.Builder.nx().px(lease)));
        case HASH, RENEWAL -> run(enterHash, owner, Long.toString(lease.toMillis()));
      };
    }

    private ScheduledFuture<?> renewal(String owner) {
      long period = lease.toMillis() / 3;
      return timer.scheduleAtFixedRate(
          () -> run(renewHash, owner, Long.toString(lease.toMillis())),
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
            case SCRIPT -> run(release, owner);
            case HASH, RENEWAL -> run(exitHash, owner);
          };
      if (!mine) {
        throw new IllegalStateException("the lock was lost before its release");
      }
    }

    private boolean compareAndDelete(String owner) {
      if (!owner.equals(redis.get(key))) {
        return false;
      }
      points.at(Points.COMPARED);
      return redis.del(key) == 1;
    }

    private boolean run(String script, String... arguments) {
      Long answer = redis.evalsha(script, ScriptOutputType.INTEGER, new String[] {key}, arguments);
      return answer == 1;
    }
  }
}
