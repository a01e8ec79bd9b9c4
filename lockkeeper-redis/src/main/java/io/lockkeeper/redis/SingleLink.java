package io.lockkeeper.redis;

import io.lettuce.core.Delegating;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.protocol.DefaultEndpoint;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.netty.util.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One connection to one server, or to whichever server the Sentinels name. It carries calls and
 * pushes: with version 3 of the protocol a connection that hears channels takes commands as well.
 */
final class SingleLink implements Link {

  private static final int MAX_GROUP = 100;

  private final StatefulRedisPubSubConnection<byte[], byte[]> connection;
  private final String description;
  private final Timer timer;
  private final Runnable closeClient;

  SingleLink(
      StatefulRedisPubSubConnection<byte[], byte[]> connection,
      String description,
      Timer timer,
      Runnable closeClient) {
    this.connection = connection;
    this.description = description;
    this.timer = timer;
    this.closeClient = closeClient;
  }

  @Override
  public void send(Call<?> call) {
    connection.dispatch(call);
  }

  @Override
  public void reconnect(List<Call<?>> calls) {
    disconnect(((RedisChannelHandler<?, ?>) connection).getChannelWriter());
  }

  /** Closes the socket under a connection, which the driver then replaces. */
  static void disconnect(RedisChannelWriter writer) {
    RedisChannelWriter endpoint = writer;
    while (endpoint instanceof Delegating<?> wrapper
        && wrapper.getDelegate() instanceof RedisChannelWriter inner) {
      endpoint = inner;
    }
    if (endpoint instanceof DefaultEndpoint plain) {
      plain.disconnect();
    }
  }

  @Override
  public List<int[]> groups(List<byte[]> keys) {
    List<int[]> groups = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += MAX_GROUP) {
      groups.add(IntStream.range(from, Math.min(from + MAX_GROUP, keys.size())).toArray());
    }
    return groups;
  }

  @Override
  public String describe() {
    return description;
  }

  @Override
  public Timer timer() {
    return timer;
  }

  @Override
  public void close() {
    connection.close();
    closeClient.run();
  }
}
