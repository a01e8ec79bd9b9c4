package io.lockkeeper.examples.store;

import io.lockkeeper.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test moves on. */
final class ManualTime implements TimeSource {

  private final AtomicLong nanos = new AtomicLong();

  @Override
  public long nanos() {
    return nanos.get();
  }

  void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
