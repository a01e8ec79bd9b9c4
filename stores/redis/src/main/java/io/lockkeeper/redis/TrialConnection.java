package io.lockkeeper.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lockkeeper.spi.TimeSource;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How the latest connection ended that was made only to see why a driver of the application has
 * none: it keeps to itself what the server says when it connects anew. One is made at a time, and
 * at most once a second, when somebody asks.
 */
final class TrialConnection implements Supplier<@Nullable Throwable> {

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long TRUE_FOR_NANOS = 3 * PAUSE_NANOS;

  /**
   * The outcome of a connection.
   *
   * @param failure how it ended; null if it was made
   * @param nanos when
   */
  private record Result(@Nullable Throwable failure, long nanos) {}

  private final Supplier<? extends CompletionStage<? extends StatefulConnection<?, ?>>> connecting;
  private final TimeSource time;
  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile @Nullable Result latest;

  TrialConnection(
      Supplier<? extends CompletionStage<? extends StatefulConnection<?, ?>>> connecting,
      TimeSource time) {
    this.connecting = connecting;
    this.time = time;
  }

  /** Returns how it failed; null if it was made, or that is not known, or no longer. */
  @Override
  public @Nullable Throwable get() {
    Result known = latest;
    long age = known == null ? Long.MAX_VALUE : time.nanos() - known.nanos;
    if (age >= PAUSE_NANOS && busy.compareAndSet(false, true)) {
      connect();
    }
    return known != null && age < TRUE_FOR_NANOS ? known.failure : null;
  }

  private void connect() {
    try {
      var unused =
          connecting
              .get()
              .whenComplete(
                  (connection, failure) -> {
                    if (connection != null) {
                      var unusedEnd = connection.closeAsync();
                    }
                    ended(failure);
                  });
    } catch (RuntimeException e) { // the client was shut down
      ended(e);
    }
  }

  private void ended(@Nullable Throwable failure) {
    latest = new Result(failure, time.nanos());
    busy.set(false);
  }
}
