package io.lockkeeper.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.RedisCommand;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A connection of the driver, which replaces it by another one when it is lost, and the number of
 * times that this has happened. Two commands between which the number has not changed went to the
 * same server.
 */
final class Wire implements RedisConnectionStateListener {

  final StatefulRedisConnection<byte[], byte[]> connection;

  private final AtomicInteger losses = new AtomicInteger();

  Wire(StatefulRedisConnection<byte[], byte[]> connection) {
    this.connection = connection;
    connection.addListener(this);
  }

  /** Sends commands, one directly behind the other. */
  void send(List<? extends RedisCommand<byte[], byte[], ?>> commands) {
    if (commands.size() == 1) {
      connection.dispatch(commands.get(0));
    } else {
      connection.dispatch(commands);
    }
  }

  /** Returns how often the connection has been lost. */
  int losses() {
    return losses.get();
  }

  /** Called before the driver begins to connect anew. */
  @Override
  public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
    losses.incrementAndGet();
  }
}
