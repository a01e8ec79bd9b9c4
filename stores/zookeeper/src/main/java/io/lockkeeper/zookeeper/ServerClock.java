package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.record.RecordClock;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The wall clock of the leading server, as this client knows it by its latest writing. By it ends,
 * for those that come later, what nobody relies on. It is not known before the first writing.
 */
final class ServerClock implements TimeSource {

  private final TimeSource time;

  /** A writing: the leader's time, and when this client heard of it. */
  private record Sample(long serverMillis, long heardNanos) {}

  private volatile @Nullable Sample sample;

  ServerClock(TimeSource time) {
    this.time = time;
  }

  /** Records a writing. */
  void learn(Stat stat) {
    sample = new Sample(stat.getMtime(), time.nanos());
  }

  @Override
  public long nanos() {
    Sample latest = sample;
    return latest == null
        ? RecordClock.UNKNOWN
        : TimeUnit.MILLISECONDS.toNanos(latest.serverMillis()) + time.nanos() - latest.heardNanos();
  }
}
