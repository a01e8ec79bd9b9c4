package io.lockkeeper.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A driver of our own, as small as it can be: one thread for all I/O, no metrics, and nothing that
 * sends a request again by itself, because that is the engine's to decide.
 */
final class OwnClient {

  private static final int COMPUTATION_THREADS = 2;
  private static final long TICK_MILLIS = 20;
  private static final Duration FIRST_RECONNECT = Duration.ofMillis(10);
  private static final Duration LAST_RECONNECT = Duration.ofMillis(500);
  private static final long STOP_SECONDS = 2;

  private OwnClient() {}

  static Store open(RedisSettings settings, StoreContext context) {
    Timer timer =
        new HashedWheelTimer(
            new DefaultThreadFactory("lockkeeper-redis-timer", true),
            TICK_MILLIS,
            TimeUnit.MILLISECONDS);
    ClientResources resources = resources(timer);
    try {
      return openSingle(settings, context, resources, timer);
    } catch (RuntimeException e) {
      stop(resources, timer);
      throw e;
    }
  }

  private static Store openSingle(
      RedisSettings settings, StoreContext context, ClientResources resources, Timer timer) {
    RedisURI uri = uri(settings);
    RedisClient client = RedisClient.create(resources, uri);
    client.setOptions(options(settings));
    Runnable stop =
        () -> {
          client.shutdown(0, STOP_SECONDS, TimeUnit.SECONDS);
          stop(resources, timer);
        };
    return new SingleOpener(client, uri, settings.describe(), settings.timeout(), stop)
        .open(context, settings.connectTimeout());
  }

  private static ClientResources resources(Timer timer) {
    return ClientResources.builder()
        .ioThreadPoolSize(1)
        .computationThreadPoolSize(COMPUTATION_THREADS)
        .timer(timer)
        .commandLatencyRecorder(CommandLatencyRecorder.disabled())
        .reconnectDelay(Delay.fullJitter(FIRST_RECONNECT, LAST_RECONNECT, 1, TimeUnit.MILLISECONDS))
        .nettyCustomizer(new Batching())
        .build();
  }

  private static ClientOptions options(RedisSettings settings) {
    return ClientOptions.builder()
        .protocolVersion(ProtocolVersion.RESP3)
        .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .maintNotificationsConfig(MaintNotificationsConfig.disabled())
        .socketOptions(
            SocketOptions.builder()
                .connectTimeout(settings.connectTimeout())
                .tcpNoDelay(true)
                .keepAlive(true)
                .build())
        .build();
  }

  private static RedisURI uri(RedisSettings settings) {
    RedisURI uri = new RedisURI();
    Address first = settings.addresses().get(0);
    uri.setHost(first.host());
    uri.setPort(first.port());
    uri.setDatabase(settings.database());
    // Requests have a time limit of our own; this one is for what the driver sends on connecting.
    uri.setTimeout(settings.connectTimeout());
    String password = settings.password();
    if (password != null) {
      String user = settings.user();
      if (user == null) {
        uri.setAuthentication(password);
      } else {
        uri.setAuthentication(user, password);
      }
    }
    if (settings.tls() != null) {
      uri.setSsl(true);
      uri.setVerifyPeer(settings.tls());
    }
    return uri;
  }

  private static void stop(ClientResources resources, Timer timer) {
    resources.shutdown(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    timer.stop();
  }

  /** Sends what is written in one go, as far as it is there by then. */
  private static final class Batching implements NettyCustomizer {

    private static final int MAX_WRITES = 256;

    @Override
    public void afterChannelInitialized(Channel channel) {
      channel.pipeline().addFirst(new FlushConsolidationHandler(MAX_WRITES, true));
    }
  }
}
