package io.lockkeeper.bench;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.bench.ContestPlan.Work;
import io.lockkeeper.bench.Growth.Point;
import io.lockkeeper.lab.report.Histograms;
import io.lockkeeper.servers.RedisServer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/** The clients at an arena for the measurement of one size of what grows. */
final class Field implements AutoCloseable {

  private static final int IN_FLIGHT = 256;
  private static final double MICROS_PER_NANO = 1e-3;
  private static final int ROUNDS = 5;
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final Arena arena;
  private final List<Lockkeeper> keepers = new ArrayList<>();
  private final List<Round> rounds = new ArrayList<>();

  /** The memory that one more of what grows takes. */
  double bytes = Double.NaN;

  /** The processor time that the server takes anyway. */
  double idleMicros;

  Field(Arena arena) {
    this.arena = arena;
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

  /** The same, repeated until a time; each operation is timed. */
  interface Repeated {
    void run(Histogram times, long endNanos) throws Exception;
  }

  /** What some work cost, for each operation. */
  record Round(double perSecond, double serverMicros, Histogram times) {

    private double micros(double percentile) {
      boolean isTimed = times.getTotalCount() > 0;
      return isTimed ? times.getValueAtPercentile(percentile) * MICROS_PER_NANO : Double.NaN;
    }
  }

  Round measure(Work work) throws Exception {
    Histogram times = Histograms.create();
    ProcessUse before = ProcessUse.of(arena.pids());
    long startNanos = System.nanoTime();
    double operations = work.run(times);
    double seconds = (System.nanoTime() - startNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    double serverNanos = ProcessUse.of(arena.pids()).since(before).cpuNanos();
    return new Round(operations / seconds, serverNanos * MICROS_PER_NANO / operations, times);
  }

  void add(Round round) {
    rounds.add(round);
  }

  /** Measures what can be repeated, in rounds after one that does not count. */
  void rounds(Repeated work) throws Exception {
    work.run(Histograms.create(), System.nanoTime() + WARM_UP_NANOS);
    for (int i = 0; i < ROUNDS; i++) {
      add(
          measure(
              times -> {
                work.run(times, System.nanoTime() + ROUND_NANOS);
                return times.getTotalCount();
              }));
    }
  }

  /** Returns the round with the median time of the server, and the least and the most. */
  Point point(long size) {
    rounds.sort(Comparator.comparingDouble(Round::serverMicros));
    Round middle = rounds.get(rounds.size() / 2);
    return new Point(
        size,
        middle.perSecond,
        Math.max(0, middle.serverMicros - idleMicros),
        Math.max(0, rounds.get(0).serverMicros - idleMicros),
        Math.max(0, rounds.get(rounds.size() - 1).serverMicros - idleMicros),
        middle.micros(50),
        middle.micros(99),
        bytes);
  }

  /** Waits until something is so. */
  static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Starts many operations, never more than some at a time, and waits until all have ended. */
  static <T> List<T> all(int count, IntFunction<CompletionStage<T>> operation)
      throws InterruptedException {
    Semaphore room = new Semaphore(IN_FLIGHT);
    List<CompletionStage<T>> stages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
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
