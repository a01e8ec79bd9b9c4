package io.lockkeeper.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lockkeeper.Quarantine;
import io.netty.util.Timer;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells the server which mark this client knows, and learns what the server may have forgotten: at
 * the start, as soon as a connection is back, and when a quarantine should be over. A server that
 * has come back empty grants soon unless a client from before reports in time, so this must not
 * wait for the next call.
 *
 * <p>The application's own driver may wait half a minute before it connects again. Meanwhile
 * connections of its own are tried here.
 */
final class Greeter implements RedisConnectionStateListener {

  private static final long FIRST_RETRY_MILLIS = 50;
  private static final long LAST_RETRY_MILLIS = 1_000;
  private static final long KNOCK_MILLIS = 400;

  /**
   * So many attempts at once, as long as none is answered: TCP pauses longer and longer in each.
   */
  private static final int MOST_KNOCKS = 8;

  /** Nobody holds anything that was not confirmed for longer than that, or than the lease. */
  private static final long LONGEST_KNOCKING_MILLIS = 60_000;

  private final byte[] mark;
  private final String clientId;
  private final Limits limits;
  private final Timer timer;
  private final @Nullable Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> others;
  private final AtomicInteger knocks = new AtomicInteger();

  /**
   * How often connections came and went, so that what was planned for one is not done for another.
   */
  private final AtomicInteger changes = new AtomicInteger();

  private volatile boolean closed;

  /**
   * Creates it.
   *
   * @param others makes another connection while there is none; null if the driver connects again
   *     without long pauses
   */
  Greeter(
      byte[] mark,
      String clientId,
      Limits limits,
      Timer timer,
      @Nullable Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> others) {
    this.mark = mark;
    this.clientId = clientId;
    this.limits = limits;
    this.timer = timer;
    this.others = others;
  }

  /**
   * Greets.
   *
   * @param carried whether with the whole script, which the server may not know
   */
  CompletableFuture<Void> greet(
      StatefulRedisConnection<byte[], byte[]> connection, boolean carried) {
    int change = changes.get();
    SetupCall<Reply> greeting = SetupCall.greet(mark, clientId, limits, carried);
    CompletableFuture<Void> learned =
        greeting.result.thenAccept(
            reply -> {
              limits.learn(reply);
              limits.quarantine().ifPresent(found -> greetAfter(found, connection, change));
            });
    connection.dispatch(greeting);
    return learned;
  }

  private void greetAfter(
      Quarantine quarantine, StatefulRedisConnection<byte[], byte[]> connection, int change) {
    later(
        quarantine.remaining().toMillis() + 1,
        () -> greetAgain(connection, change, FIRST_RETRY_MILLIS));
  }

  private void greetAgain(
      StatefulRedisConnection<byte[], byte[]> connection, int change, long retryMillis) {
    if (closed || changes.get() != change) {
      return;
    }
    var unused =
        greet(connection, true)
            .exceptionally(
                failure -> { // it loads its data, for one
                  long next = Math.min(2 * retryMillis, LAST_RETRY_MILLIS);
                  later(retryMillis, () -> greetAgain(connection, change, next));
                  return null;
                });
  }

  @Override
  @SuppressWarnings("unchecked")
  public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
    greetAgain(
        (StatefulRedisConnection<byte[], byte[]>) connection,
        changes.incrementAndGet(),
        FIRST_RETRY_MILLIS);
  }

  @Override
  public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
    limits.forget();
    int change = changes.incrementAndGet();
    if (others != null) {
      long most = Math.max(LONGEST_KNOCKING_MILLIS, limits.longestMillis());
      later(KNOCK_MILLIS, () -> knock(change, most));
    }
  }

  private void knock(int change, long leftMillis) {
    if (closed || others == null || changes.get() != change || leftMillis <= 0) {
      return;
    }
    later(KNOCK_MILLIS, () -> knock(change, leftMillis - KNOCK_MILLIS));
    if (knocks.incrementAndGet() > MOST_KNOCKS) {
      knocks.decrementAndGet();
      return;
    }
    CompletionStage<StatefulRedisConnection<byte[], byte[]>> connecting;
    try {
      connecting = others.get();
    } catch (RuntimeException unusable) { // the driver was shut down
      knocks.decrementAndGet();
      return;
    }
    var unused =
        connecting
            .thenCompose(this::greetAndClose)
            .whenComplete((done, failure) -> knocks.decrementAndGet());
  }

  private CompletionStage<Void> greetAndClose(StatefulRedisConnection<byte[], byte[]> connection) {
    SetupCall<Reply> greeting = SetupCall.greet(mark, clientId, limits, true);
    connection.dispatch(greeting);
    return greeting
        .result
        .handle((reply, failure) -> connection)
        .thenCompose(StatefulConnection::closeAsync);
  }

  private void later(long millis, Runnable task) {
    if (!closed) {
      try {
        var unused = timer.newTimeout(timeout -> task.run(), millis, TimeUnit.MILLISECONDS);
      } catch (IllegalStateException stopped) {
        closed = true;
      }
    }
  }

  /** Ends it. */
  void close() {
    closed = true;
  }
}
