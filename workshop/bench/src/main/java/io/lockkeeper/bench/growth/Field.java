package io.lockkeeper.bench.growth;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.lab.report.Histograms;
import io.lockkeeper.servers.CommandStat;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ZooKeeperEnsemble;
import io.lockkeeper.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A server and its clients for the measurement of one size. */
final class Field implements AutoCloseable {

  private static final int IN_FLIGHT = 256;
  private static final double MICROS_PER_SECOND = 1e6;
  private static final double MICROS_PER_NANO = 1e-3;
  private static final double STILL_LESS = 0.99;
  private static final int ROUNDS = 5;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private @Nullable RedisServer redis;
  private @Nullable ZooKeeperEnsemble ensemble;
  private @Nullable ZooKeeperServer zooKeeper;
  private final List<Lockkeeper> keepers = new ArrayList<>();

  /** Returns the Redis server, started if it is not. */
  RedisServer server() {
    RedisServer running = redis;
    if (running == null) {
      running = RedisServer.start();
      redis = running;
    }
    return running;
  }

  /** Has ZooKeeper in the place of Redis, one server or an ensemble of three. */
  void startZooKeeper(boolean isEnsemble) {
    if (isEnsemble) {
      ensemble = ZooKeeperEnsemble.start();
    } else {
      zooKeeper = ZooKeeperServer.start();
    }
  }

  private List<ZooKeeperServer> zooKeepers() {
    return ensemble != null
        ? ensemble.servers()
        : zooKeeper != null ? List.of(zooKeeper) : List.of();
  }

  private String url() {
    return ensemble != null ? ensemble.url() : zooKeeper != null ? zooKeeper.url() : server().url();
  }

  /** Says which servers these are, and how they are set up. */
  String describe() {
    if (zooKeepers().isEmpty()) {
      return "Redis "
          + server().info("server").get("redis_version")
          + " on loopback, nothing written to disk";
    }
    String version = zooKeepers().get(0).metrics().getOrDefault("zk_version", "?");
    return "ZooKeeper " + version.split("-", 2)[0] + " on loopback";
  }

  /** Connects one more client. */
  Lockkeeper connect() {
    Lockkeeper keeper = Lockkeeper.connect(url());
    keepers.add(keeper);
    return keeper;
  }

  List<Lockkeeper> connect(int clients) {
    List<Lockkeeper> all = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      all.add(connect());
    }
    return all;
  }

  /** What the server has done up to a moment. */
  private record Reading(double cpuMicros, double commands, long nanos) {}

  private Reading read() {
    if (!zooKeepers().isEmpty()) {
      return new Reading(zooKeeperMicros(), Double.NaN, System.nanoTime());
    }
    RedisServer server = server();
    var cpu = server.info("cpu");
    double seconds =
        Double.parseDouble(cpu.getOrDefault("used_cpu_user", "0"))
            + Double.parseDouble(cpu.getOrDefault("used_cpu_sys", "0"));
    double commands =
        server.commandStats().entrySet().stream()
            .filter(stat -> !stat.getKey().equals("info"))
            .map(Map.Entry::getValue)
            .mapToLong(CommandStat::calls)
            .sum();
    return new Reading(seconds * MICROS_PER_SECOND, commands, System.nanoTime());
  }

  private double zooKeeperMicros() {
    return zooKeepers().stream()
        .flatMap(server -> ProcessHandle.of(server.pid()).stream())
        .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
        .mapToLong(spent -> TimeUnit.NANOSECONDS.toMicros(spent.toNanos()))
        .sum();
  }

  /** Something whose cost is measured; returns how many operations it did. */
  interface Work {
    double run(Histogram times) throws Exception;
  }

  /**
   * Measures a piece of work.
   *
   * @param bytes what one more of what grows takes, or NaN
   */
  Point measure(long size, double bytes, Work work) throws Exception {
    Histogram times = Histograms.create();
    Reading before = read();
    double operations = work.run(times);
    Reading after = read();
    boolean isTimed = times.getTotalCount() > 0;
    double serverMicros = (after.cpuMicros() - before.cpuMicros()) / operations;
    return new Point(
        size,
        operations * TimeUnit.SECONDS.toNanos(1) / (after.nanos() - before.nanos()),
        serverMicros,
        serverMicros,
        serverMicros,
        (after.commands() - before.commands()) / operations,
        isTimed ? times.getValueAtPercentile(50) * MICROS_PER_NANO : Double.NaN,
        isTimed ? times.getValueAtPercentile(99) * MICROS_PER_NANO : Double.NaN,
        bytes);
  }

  /** Measures a piece of work that can be repeated, in rounds after one that does not count. */
  Point rounds(long size, double bytes, Work warmUp, Work work) throws Exception {
    warmUp.run(Histograms.create());
    List<Point> rounds = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      rounds.add(measure(size, bytes, work));
    }
    return Point.median(rounds);
  }

  /** Waits until something is so. */
  static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(POLL_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** Starts many operations, never more than some at a time, and waits until all have ended. */
  static <T> List<T> all(long count, LongFunction<CompletionStage<T>> operation)
      throws InterruptedException {
    Semaphore room = new Semaphore(IN_FLIGHT);
    List<CompletionStage<T>> stages = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      room.acquire();
      CompletionStage<T> stage = operation.apply(i);
      stages.add(stage.whenComplete((done, failure) -> room.release()));
    }
    return stages.stream().map(stage -> stage.toCompletableFuture().join()).toList();
  }

  /** Returns the heap in use, after it has been cleaned up. */
  @SuppressWarnings("SystemGc") // nothing else makes the number mean something
  static double heapBytes() {
    double used = Double.MAX_VALUE;
    double before;
    do {
      before = used;
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      used = Math.min(before, runtime.totalMemory() - (double) runtime.freeMemory());
    } while (used < STILL_LESS * before);
    return used;
  }

  /** Returns the memory that the server's data takes. */
  double serverBytes() {
    return Double.parseDouble(server().info("memory").getOrDefault("used_memory_dataset", "0"));
  }

  /** Gives leases back that the measurement has left. */
  static void release(List<Lease> leases) {
    leases.forEach(Lease::release);
  }

  @Override
  public void close() {
    keepers.forEach(Lockkeeper::close);
    if (redis != null) {
      redis.close();
    }
    if (ensemble != null) {
      ensemble.close();
    }
    if (zooKeeper != null) {
      zooKeeper.close();
    }
  }
}
