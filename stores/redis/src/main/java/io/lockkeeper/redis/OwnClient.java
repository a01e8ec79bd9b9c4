package io.lockkeeper.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.redis.RedisSettings.Topology;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.TimeSource;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.Timer;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A driver of our own, as small as it can be: one thread for all I/O, no metrics, and nothing that
 * sends a request again by itself, because that is the engine's to decide.
 */
final class OwnClient {

  private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

  private static final int IO_THREADS = 2; // the driver's minimum; one connection uses one
  private static final int COMPUTATION_THREADS = 2;
  private static final Duration FIRST_RECONNECT = Duration.ofMillis(10);
  private static final Duration LAST_RECONNECT = Duration.ofMillis(500);
  private static final Duration RECONNECT_ATTEMPT = Duration.ofSeconds(1);
  private static final long STOP_SECONDS = 2;

  /**
   * A server that has taken the place of another without a word is noticed within a second, while
   * it still waits for clients from before.
   */
  private static final KeepAliveOptions KEEP_ALIVE =
      KeepAliveOptions.builder()
          .enable()
          .idle(Duration.ofSeconds(1))
          .interval(Duration.ofSeconds(1))
          .count(10)
          .build();

  private static final ClusterTopologyRefreshOptions REFRESH =
      ClusterTopologyRefreshOptions.builder()
          .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
          .enablePeriodicRefresh(Duration.ofSeconds(30))
          .build();

  private OwnClient() {}

  static Store open(RedisSettings settings, StoreContext context) {
    readFiles(settings);
    Timer timer = timer();
    Channels channels = new Channels();
    ClientResources resources = resources(timer, channels);
    TimeSource time = context.environment().time();
    Opener opener =
        new Opener(
            context,
            opening(settings, channels, time),
            settings.timeout(),
            settings.replication(),
            settings.loss(),
            settings.push());
    Consumer<AbstractRedisClient> stop = client -> stop(client, resources, timer, time);
    if (settings.topology() == Topology.CLUSTER) {
      return openCluster(settings, opener, channels, stop, resources);
    }
    Store store = openSingle(settings, opener, channels, stop, resources);
    channels.limitReconnecting(settings.connectTimeout());
    return store;
  }

  private static Store openSingle(
      RedisSettings settings,
      Opener opener,
      Channels channels,
      Consumer<AbstractRedisClient> stop,
      ClientResources resources) {
    RedisURI uri = settings.topology() == Topology.SENTINEL ? sentinels(settings) : uri(settings);
    RedisClient client = client(settings, uri, resources);
    return opener.single(client, uri, channels::latestRefusal, () -> stop.accept(client));
  }

  private static Store openCluster(
      RedisSettings settings,
      Opener opener,
      Channels channels,
      Consumer<AbstractRedisClient> stop,
      ClientResources resources) {
    RedisClusterClient client = clusterClient(settings, resources);
    return opener.cluster(client, channels::latestRefusal, () -> stop.accept(client));
  }

  /**
   * Asks the servers something, outside of any store: the one server, the one that the Sentinels
   * name, or the masters of a cluster.
   */
  static <T> T consult(
      RedisSettings settings, TimeSource time, Function<List<ServerInfo>, T> questions) {
    readFiles(settings);
    Timer timer = timer();
    Channels channels = new Channels();
    ClientResources resources = resources(timer, channels);
    Opening opening = opening(settings, channels, time);
    if (settings.topology() == Topology.CLUSTER) {
      RedisClusterClient client = clusterClient(settings, resources);
      try {
        return questions.apply(ServerInfo.ofCluster(client, opening));
      } finally {
        stop(client, resources, timer, time);
      }
    }
    RedisURI uri = settings.topology() == Topology.SENTINEL ? sentinels(settings) : uri(settings);
    RedisClient client = client(settings, uri, resources);
    try {
      return questions.apply(List.of(ServerInfo.ofOne(client, uri, opening, settings)));
    } finally {
      stop(client, resources, timer, time);
    }
  }

  /** Reads the files of TLS before there are threads that would have to be stopped. */
  private static void readFiles(RedisSettings settings) {
    if (settings.tls() != null) {
      try {
        settings.tls().files().read();
      } catch (IOException | IllegalArgumentException e) {
        throw new StoreUnavailableException(
            "cannot connect to " + settings.describe() + ": " + e.getMessage(), e);
      }
    }
  }

  private static RedisClient client(
      RedisSettings settings, RedisURI uri, ClientResources resources) {
    RedisClient client = new LeanClient(resources, uri);
    client.setOptions(options(ClientOptions.builder(), settings).build());
    return client;
  }

  private static RedisClusterClient clusterClient(
      RedisSettings settings, ClientResources resources) {
    List<RedisURI> uris =
        settings.addresses().stream().map(address -> uri(settings, address)).toList();
    RedisClusterClient client = RedisClusterClient.create(resources, uris);
    ClusterClientOptions.Builder options = ClusterClientOptions.builder();
    options(options, settings);
    client.setOptions(options.topologyRefreshOptions(REFRESH).build());
    return client;
  }

  /**
   * Limits the whole of connecting. The driver itself limits each attempt to reach a server, so
   * this only matters for what comes after; Sentinels and the nodes of a cluster are tried in turn.
   */
  private static Opening opening(RedisSettings settings, Channels channels, TimeSource time) {
    int attempts =
        settings.topology() == Topology.SINGLE ? 2 : 2 * (settings.addresses().size() + 1);
    Duration limit = settings.connectTimeout().multipliedBy(attempts);
    return new Opening(settings.describe(), limit, channels::latestRefusal, time);
  }

  private static Timer timer() {
    return new SleepingTimer("lockkeeper-redis-timer");
  }

  private static ClientResources resources(Timer timer, Channels channels) {
    return ClientResources.builder()
        .ioThreadPoolSize(IO_THREADS)
        .computationThreadPoolSize(COMPUTATION_THREADS)
        .timer(timer)
        .commandLatencyRecorder(CommandLatencyRecorder.disabled())
        .reconnectDelay(Delay.fullJitter(FIRST_RECONNECT, LAST_RECONNECT, 1, TimeUnit.MILLISECONDS))
        .addressResolverGroup(new NameLookup())
        .nettyCustomizer(channels)
        .build();
  }

  private static ClientOptions.Builder options(
      ClientOptions.Builder options, RedisSettings settings) {
    DriverVersion.keepQuiet(options);
    if (settings.tls() != null) {
      options.sslOptions(SslOptions.builder().sslContext(settings.tls().files()).build());
    }
    return options
        .protocolVersion(ProtocolVersion.RESP3)
        .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .socketOptions(
            SocketOptions.builder()
                .connectTimeout(settings.connectTimeout())
                .tcpNoDelay(true)
                .keepAlive(KEEP_ALIVE)
                .build());
  }

  private static RedisURI uri(RedisSettings settings) {
    return uri(settings, settings.addresses().get(0));
  }

  /** Returns how to connect to one server. */
  static RedisURI uri(RedisSettings settings, Address address) {
    RedisURI uri = new RedisURI();
    uri.setHost(address.host());
    uri.setPort(address.port());
    configure(uri, settings);
    return uri;
  }

  private static RedisURI sentinels(RedisSettings settings) {
    RedisURI uri = new RedisURI();
    uri.setSentinelMasterId(settings.master());
    for (Address address : settings.addresses()) {
      RedisURI sentinel = new RedisURI();
      sentinel.setHost(address.host());
      sentinel.setPort(address.port());
      sentinel.setTimeout(settings.connectTimeout());
      logIn(sentinel, settings.sentinelUser(), settings.sentinelPassword());
      useTls(sentinel, settings);
      uri.getSentinels().add(sentinel);
    }
    configure(uri, settings);
    return uri;
  }

  private static void configure(RedisURI uri, RedisSettings settings) {
    uri.setDatabase(settings.database());
    // Requests have a time limit of our own; this one is for what the driver sends on connecting.
    uri.setTimeout(settings.connectTimeout());
    logIn(uri, settings.user(), settings.password());
    useTls(uri, settings);
  }

  private static void logIn(RedisURI uri, @Nullable String user, @Nullable String password) {
    if (password != null) {
      // Credentials that the driver need not wait for: it does that on the common pool, where it
      // may miss what the server says to them.
      uri.setCredentialsProvider(new StaticCredentialsProvider(user, password.toCharArray()));
    }
  }

  private static void useTls(RedisURI uri, RedisSettings settings) {
    if (settings.tls() != null) {
      uri.setSsl(true);
      uri.setVerifyPeer(settings.tls().verification());
    }
  }

  /** Stops all threads and connections, whether or not the calling thread is interrupted. */
  private static void stop(
      AbstractRedisClient client, ClientResources resources, Timer timer, TimeSource time) {
    try {
      awaitUninterruptibly(client.shutdownAsync(0, STOP_SECONDS, TimeUnit.SECONDS), time);
    } finally {
      try {
        resources
            .shutdown(0, STOP_SECONDS, TimeUnit.SECONDS)
            .awaitUninterruptibly(2 * STOP_SECONDS, TimeUnit.SECONDS);
      } finally {
        timer.stop();
      }
    }
  }

  static void awaitUninterruptibly(CompletableFuture<Void> stopped, TimeSource time) {
    boolean interrupted = false;
    long deadline = time.nanos() + TimeUnit.SECONDS.toNanos(2 * STOP_SECONDS);
    while (true) {
      try {
        stopped.get(deadline - time.nanos(), TimeUnit.NANOSECONDS);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException | TimeoutException e) {
        LOG.log(Level.DEBUG, "the connections have not been closed in order", e);
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends what is written in one go, as far as it is there by then; and notes refusals. */
  private static final class Channels implements NettyCustomizer {

    private static final int MAX_WRITES = 256;

    private volatile @Nullable Throwable latestRefusal;

    /** The bootstraps that connect, until the store is open. */
    private final Queue<Bootstrap> bootstraps = new ConcurrentLinkedQueue<>();

    private volatile boolean isOpen;

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
      if (!isOpen) {
        bootstraps.add(bootstrap);
      }
    }

    /**
     * Makes attempts to connect again short: a server that is back must be reached while it waits
     * for clients from before, and TCP pauses for seconds within an attempt.
     */
    void limitReconnecting(Duration connectTimeout) {
      isOpen = true;
      long millis = Math.min(connectTimeout.toMillis(), RECONNECT_ATTEMPT.toMillis());
      for (Bootstrap next = bootstraps.poll(); next != null; next = bootstraps.poll()) {
        next.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) millis);
      }
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
      ChannelPipeline pipeline = channel.pipeline();
      pipeline.addFirst(new FlushConsolidationHandler(MAX_WRITES, true));
      DriverVersion.sendNothingAgain(pipeline);
      RedisHandshakeHandler handshake = pipeline.get(RedisHandshakeHandler.class);
      if (handshake != null) {
        noteRefusal(handshake.channelInitialized().toCompletableFuture(), channel);
      }
    }

    private void noteRefusal(CompletableFuture<Void> initialized, Channel channel) {
      var unused = initialized.whenComplete((shaken, refusal) -> latestRefusal = refusal);
      channel
          .closeFuture()
          .addListener(
              closed -> {
                if (!initialized.isDone() && !channel.eventLoop().isShuttingDown()) {
                  // The driver closes first what was refused, and then says why.
                  channel.eventLoop().execute(() -> forgetUnlessSaid(initialized));
                }
              });
    }

    private void forgetUnlessSaid(CompletableFuture<Void> initialized) {
      if (!initialized.isDone()) {
        latestRefusal = null; // nobody was there to refuse it
      }
    }

    @Nullable Throwable latestRefusal() {
      return latestRefusal;
    }
  }
}
