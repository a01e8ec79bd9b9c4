package io.lockkeeper.bench.local;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The paths that never leave the process: re-entry, hand-over between threads of one client, and,
 * for comparison, the whole engine on a store without a network.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("LockNotBeforeTry") // there is nothing between the two calls
public class LocalPathsBenchmark {

  /** One client on a store of its own, and one lock that all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {

    private final Lockkeeper keeper = Lockkeeper.connect("memory:bench-" + System.nanoTime());
    private final DistributedLock lock = keeper.lock("shared");

    /** Closes the client. */
    @TearDown
    public void close() {
      keeper.close();
    }
  }

  /** A lock that the benchmark's thread holds already. */
  @State(Scope.Thread)
  public static class Held {

    private final Lockkeeper keeper = Lockkeeper.connect("memory:bench-" + System.nanoTime());
    private final DistributedLock lock = keeper.lock("held");

    /** Takes the lock for the first time; on the thread that measures. */
    @Setup(Level.Trial)
    public void hold() {
      lock.lock();
    }

    /** Gives it back. */
    @TearDown
    public void close() {
      lock.unlock();
      keeper.close();
    }
  }

  /** Enters a held lock once more and leaves it again. */
  @Benchmark
  @Threads(1)
  public void reentry(Held held) {
    held.lock.lock();
    held.lock.unlock();
  }

  /** Takes and gives back a lock that nobody else wants. */
  @Benchmark
  @Threads(1)
  public void uncontended(Shared shared) {
    shared.lock.lock();
    shared.lock.unlock();
  }

  /** Takes and gives back a lock that another thread of the same client wants all the time. */
  @Benchmark
  @Threads(2)
  public void handOver(Shared shared) {
    shared.lock.lock();
    shared.lock.unlock();
  }
}
