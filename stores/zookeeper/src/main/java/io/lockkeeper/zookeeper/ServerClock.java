package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.rule.CellContent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The wall clock of the leading server, as far as this client knows it: each writing says when it
 * was, and was between its request and its answer. Where that is not enough to say whether a moment
 * is over, the server is asked, by one more writing.
 *
 * <p>What a server's clock does wrong, or the clock of the next leader does differently, shifts
 * times to live by as much, and nothing else. The clocks of clients do not count.
 */
final class ServerClock {

  /** How long a writing tells the time: so long may a jump of the clock be overlooked. */
  private static final long TRUSTED_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long MICROS_PER_MILLI = 1_000;

  private final TimeSource time;
  private final Supplier<CompletableFuture<Stat>> writing;

  /** A writing, and when this client sent it and heard of it. */
  private record Sample(long serverMillis, long sentNanos, long heardNanos) {}

  private volatile @Nullable Sample sample;

  /**
   * Creates it.
   *
   * @param writing writes something
   */
  ServerClock(TimeSource time, Supplier<CompletableFuture<Stat>> writing) {
    this.time = time;
    this.writing = writing;
  }

  long nanos() {
    return time.nanos();
  }

  /** Records a writing. */
  void learn(Stat stat, long sentNanos) {
    sample = new Sample(stat.getMtime(), sentNanos, time.nanos());
  }

  /** Says whether this moment is over at the server. */
  CompletableFuture<Boolean> isOver(long millis) {
    Sample latest = sample;
    long now = time.nanos();
    if (latest != null && now - latest.sentNanos() < TRUSTED_NANOS) {
      if (latest.serverMillis() + (now - latest.heardNanos()) / NANOS_PER_MILLI >= millis) {
        return CompletableFuture.completedFuture(true);
      }
      if (latest.serverMillis() + (now - latest.sentNanos()) / NANOS_PER_MILLI + 2 < millis) {
        return CompletableFuture.completedFuture(false);
      }
    }
    return writing
        .get()
        .thenApply(
            stat -> {
              learn(stat, now);
              return stat.getMtime() >= millis;
            });
  }

  /** Returns a time that the server's clock has reached, as far as that is known; else 0. */
  long reachedMillis() {
    Sample latest = sample;
    long now = time.nanos();
    if (latest == null || now - latest.sentNanos() >= TRUSTED_NANOS) {
      return 0;
    }
    return latest.serverMillis() + (now - latest.heardNanos()) / NANOS_PER_MILLI;
  }

  /** Returns about how long it is until a moment that is not over. */
  long leftMicros(long millis) {
    Sample latest = sample;
    if (millis == CellContent.NEVER || latest == null) {
      return -1;
    }
    long sinceNanos = time.nanos() - latest.heardNanos();
    long leftMillis = millis - latest.serverMillis() - sinceNanos / NANOS_PER_MILLI;
    return Math.max(1, leftMillis) * MICROS_PER_MILLI;
  }
}
