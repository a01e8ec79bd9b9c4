package io.lockkeeper.bench.growth;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.bench.ProcessUse;
import io.lockkeeper.lab.report.Histograms;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ZooKeeperEnsemble;
import io.lockkeeper.servers.ZooKeeperServer;
import java.util.ArrayList;
import java.util.List;
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
  private static final double MICROS_PER_NANO = 1e-3;
  private static final double STILL_LESS = 0.99;
  private static final int ROUNDS = 5;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private @Nullable RedisServer redis;
  private List<ZooKeeperServer> zooKeepers = List.of();
  private String url = "";
  private Runnable servers = () -> {};
  private final List<Lockkeeper> keepers = new ArrayList<>();

  /** Returns the Redis server, started if it is not. */
  RedisServer server() {
    RedisServer running = redis;
    if (running == null) {
      running = RedisServer.start();
      redis = running;
      servers = running::close;
      url = running.url();
    }
    return running;
  }

  /** Has ZooKeeper in the place of Redis, one server or an ensemble of three. */
  void startZooKeeper(boolean isEnsemble) {
    if (isEnsemble) {
      ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
      servers = ensemble::close;
      url = ensemble.url();
      zooKeepers = ensemble.servers();
    } else {
      ZooKeeperServer server = ZooKeeperServer.start();
      servers = server::close;
      url = server.url();
      zooKeepers = List.of(server);
    }
  }

  /** Says which servers these are, and how they are set up. */
  String describe() {
    if (zooKeepers.isEmpty()) {
      return "Redis "
          + server().info("server").get("redis_version")
          + " on loopback, nothing written to disk";
    }
    String version = zooKeepers.get(0).metrics().getOrDefault("zk_version", "?");
    return "ZooKeeper " + version.split("-", 2)[0] + " on loopback";
  }

  /** Connects one more client. */
  Lockkeeper connect() {
    if (url.isEmpty()) {
      server();
    }
    Lockkeeper keeper = Lockkeeper.connect(url);
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

  /** Reads what each server has used so far. */
  private List<ProcessUse> read() {
    return zooKeepers.isEmpty()
        ? List.of(ProcessUse.of(server().pid()))
        : zooKeepers.stream().map(server -> ProcessUse.of(server.pid())).toList();
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
    List<ProcessUse> before = read();
    long startNanos = System.nanoTime();
    double operations = work.run(times);
    long nanos = System.nanoTime() - startNanos;
    List<ProcessUse> after = read();
    double serverMicros = 0;
    for (int i = 0; i < after.size(); i++) {
      double cpuNanos = after.get(i).since(before.get(i)).cpuNanos();
      serverMicros += cpuNanos * MICROS_PER_NANO / operations;
    }
    boolean isTimed = times.getTotalCount() > 0;
    return new Point(
        size,
        operations * TimeUnit.SECONDS.toNanos(1) / nanos,
        serverMicros,
        serverMicros,
        serverMicros,
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
    servers.run();
  }
}
