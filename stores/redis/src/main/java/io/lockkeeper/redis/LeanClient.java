package io.lockkeeper.redis;

import io.lettuce.core.RedisAsyncCommandsImpl;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisReactiveCommandsImpl;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.PubSubOutput;
import io.lettuce.core.pubsub.RedisPubSubAsyncCommandsImpl;
import io.lettuce.core.pubsub.RedisPubSubReactiveCommandsImpl;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;

/**
 * A driver without the synchronous and the reactive interface.
 *
 * <p>Each has a method per Redis command, and every connection makes both: the first connection of
 * a process spends more time on them than on all the rest.
 */
@SuppressWarnings("NullAway") // The driver's fields for them are never read then.
final class LeanClient extends RedisClient {

  LeanClient(ClientResources resources, RedisURI uri) {
    super(resources, uri);
  }

  @Override
  protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
      PubSubEndpoint<K, V> endpoint,
      RedisChannelWriter writer,
      RedisCodec<K, V> codec,
      Duration timeout) {
    return new LeanConnection<>(endpoint, writer, codec, timeout);
  }

  @Override
  protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
      RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
    return new StatefulRedisConnectionImpl<>(writer, pushes, codec, timeout) {
      @Override
      protected RedisAsyncCommandsImpl<K, V> newRedisAsyncCommandsImpl() {
        return null;
      }

      @Override
      protected RedisCommands<K, V> newRedisSyncCommandsImpl() {
        return null;
      }

      @Override
      protected RedisReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
        return null;
      }
    };
  }

  private static final class LeanConnection<K, V> extends StatefulRedisPubSubConnectionImpl<K, V> {

    private final PubSubEndpoint<K, V> endpoint;

    LeanConnection(
        PubSubEndpoint<K, V> endpoint,
        RedisChannelWriter writer,
        RedisCodec<K, V> codec,
        Duration timeout) {
      super(endpoint, writer, codec, timeout);
      this.endpoint = endpoint;
    }

    @Override
    protected RedisPubSubAsyncCommandsImpl<K, V> newRedisAsyncCommandsImpl() {
      return null;
    }

    @Override
    protected RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
      return null;
    }

    @Override
    protected RedisPubSubReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
      return null;
    }

    /** Called when the connection is back. */
    @Override
    protected List<RedisFuture<Void>> resubscribe() {
      for (K channel : endpoint.getChannels()) {
        dispatch(
            new Command<>(
                CommandType.SUBSCRIBE,
                new PubSubOutput<>(codec),
                new CommandArgs<>(codec).addKey(channel)));
      }
      return List.of();
    }
  }
}
