package io.lockkeeper.bench;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.bench.ContestPlan.Work;
import io.lockkeeper.bench.Growth.Point;
import io.lockkeeper.lab.report.Histograms;
import io.lockkeeper.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;

/** The clients at an arena for the measurement of one size of what grows. */
final class Field implements AutoCloseable {

  private static final int IN_FLIGHT = 256;
  private static final double MICROS_PER_NANO = 1e-3;
  private static final int ROUNDS = 5;
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Arena arena;
  private final long roundNanos;
  private final List<Lockkeeper> keepers = new ArrayList<>();

  /**
   * Creates it.
   *
   * @param roundNanos how long what can be repeated is repeated in a round
   */
  Field(Arena arena, long roundNanos) {
    this.arena = arena;
    this.roundNanos = roundNanos;
  }

  RedisServer server() {
    return Objects.requireNonNull(arena.redis());
  }

  Lockkeeper connect() {
    return connect(1).get(0);
  }

  List<Lockkeeper> connect(int clients) {
    List<Lockkeeper> all = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      all.add(Lockkeeper.connect(arena.url()));
    }
    keepers.addAll(all);
    return all;
  }

  /** Something whose cost is measured; returns how many operations it did. */
  interface Work {
    double run(Histogram times) throws Exception;
  }

  /** The same, repeated for a while. */
  interface Repeated {
    double run(Histogram times, long nanos) throws Exception;
  }

  Point measure(long size, Work work) throws Exception {
    Histogram times = Histograms.create();
    ProcessUse before = ProcessUse.of(arena.pids());
    long startNanos = System.nanoTime();
    double operations = work.run(times);
    long nanos = System.nanoTime() - startNanos;
    ProcessUse.Spent spent = ProcessUse.of(arena.pids()).since(before);
    double serverMicros = spent.cpuNanos() * MICROS_PER_NANO / operations;
    boolean isTimed = times.getTotalCount() > 0;
    return new Point(
        size,
        operations * TimeUnit.SECONDS.toNanos(1) / nanos,
        serverMicros,
        serverMicros,
        serverMicros,
        isTimed ? times.getValueAtPercentile(50) * MICROS_PER_NANO : Double.NaN,
        isTimed ? times.getValueAtPercentile(99) * MICROS_PER_NANO : Double.NaN,
        Double.NaN);
  }

  /** Measures a piece of work that can be repeated, in rounds after one that does not count. */
  Point rounds(long size, Repeated work) throws Exception {
    work.run(Histograms.create(), WARM_UP_NANOS);
    List<Point> rounds = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      rounds.add(measure(size, times -> work.run(times, roundNanos)));
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

  /** Returns the memory that the server's data takes. */
  double serverBytes() {
    return Double.parseDouble(server().info("memory").getOrDefault("used_memory_dataset", "0"));
  }

  @Override
  public void close() {
    keepers.forEach(Lockkeeper::close);
  }
}
