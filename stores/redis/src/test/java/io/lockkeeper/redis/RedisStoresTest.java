package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
class RedisStoresTest {

  static List<RedisBinary> binaries() {
    return Binaries.all();
  }

  @Tag("driver")
  @ParameterizedTest
  @MethodSource("binaries")
  void aClientOfTheApplicationIsUsedAndLeftOpen(RedisBinary binary) {
    RedisServer server = SharedServers.running(binary);
    RedisClient client = RedisClient.create();
    RedisURI uri = RedisURI.create(server.url());
    try {
      try (Lockkeeper keeper = Lockkeeper.builder().connect(RedisStores.from(client, uri))) {
        DistributedLock lock = keeper.lock("r");
        lock.lock();
        lock.unlock();
      }
      assertHandsOver(RedisStores.from(client, uri).withTimeout(Duration.ofSeconds(10)));
      assertThat(client.connect(uri).sync().ping()).isEqualTo("PONG");
      assertThat(server.command("PUBSUB", "CHANNELS", "*")).isEqualTo(List.of());
    } finally {
      client.shutdown();
    }
  }

  /**
   * The driver of an application keeps requests until it is connected again, unless told not to.
   */
  @Test
  void aRequestToAServerThatIsGoneIsNotKeptForLater() {
    try (RedisServer server = RedisServer.builder().binary(Binaries.newest()).start()) {
      RedisURI uri = RedisURI.create(server.url());
      RedisClient client = RedisClient.create();
      RedisStores stores =
          RedisStores.from(client, uri)
              .withAfterLoss(AfterLoss.GRANT)
              .withTimeout(Duration.ofHours(1));
      try (Lockkeeper keeper = Lockkeeper.builder().connect(stores)) {
        keeper.lock("a").run(() -> {});
        server.kill();

        await()
            .atMost(Delays.patience())
            .untilAsserted(
                () ->
                    assertThatThrownBy(() -> keeper.lock("b").tryLock())
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("not connected to"));
      } finally {
        client.shutdown();
      }
    }
  }

  /** Has each connection take its time to close. */
  private static final class SlowlyClosed implements NettyCustomizer {

    @Override
    public void afterChannelInitialized(Channel channel) {
      channel
          .pipeline()
          .addFirst(
              new ChannelOutboundHandlerAdapter() {
                @Override
                public void close(ChannelHandlerContext context, ChannelPromise promise) {
                  Runnable later =
                      () -> {
                        var unused = context.close(promise);
                      };
                  var unused = context.executor().schedule(later, 200, TimeUnit.MILLISECONDS);
                }
              });
    }
  }

  /** The driver would warn of those that it is to close a second time. */
  @Tag("driver")
  @Test
  void theConnectionsOfAClosedClientAreClosed() {
    RedisServer server = SharedServers.running(Binaries.newest());
    ClientResources resources =
        ClientResources.builder().nettyCustomizer(new SlowlyClosed()).build();
    RedisClient client = RedisClient.create(resources);
    Queue<RedisChannelHandler<?, ?>> connections = new ConcurrentLinkedQueue<>();
    client.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress where) {
            connections.add(connection);
          }
        });
    try {
      Lockkeeper.builder().connect(RedisStores.from(client, RedisURI.create(server.url()))).close();

      List<Boolean> closed =
          connections.stream().map(connection -> connection.closeAsync().isDone()).toList();
      assertThat(closed).isNotEmpty().containsOnly(true);
    } finally {
      client.shutdown();
      resources.shutdown().awaitUninterruptibly();
    }
  }

  @Test
  void aClusterClientOfTheApplicationIsUsedAndLeftOpen() {
    try (RedisCluster cluster = RedisCluster.start(Binaries.newest())) {
      RedisURI uri = RedisURI.create(cluster.masters().get(0).url());
      RedisClusterClient client = RedisClusterClient.create(uri);
      try {
        assertHandsOver(RedisStores.from(client, uri));
        assertThat(client.connect().sync().ping()).isEqualTo("PONG");
      } finally {
        client.shutdown();
      }
    }
  }

  @Tag("driver")
  @Test
  void aClientCanBringItsOwnTrust() {
    try (RedisServer server = RedisServer.builder().tls().start()) {
      RedisClient client = RedisClient.create();
      client.setOptions(
          ClientOptions.builder()
              .sslOptions(
                  SslOptions.builder()
                      .trustManager(server.certificate().orElseThrow().certificatePem().toFile())
                      .build())
              .build());
      try {
        assertHandsOver(RedisStores.from(client, RedisURI.create(server.url())));
      } finally {
        client.shutdown();
      }
    }
  }

  @Test
  void timesThatCannotBeAddedToAnInstantAreRefusedOrCutShort() {
    RedisClient client = RedisClient.create();
    try {
      Duration forever = ChronoUnit.FOREVER.getDuration();
      RedisURI uri = RedisURI.create(SharedServers.running(Binaries.newest()).url());
      uri.setTimeout(Duration.ofDays(73_000)); // what the driver itself can count
      assertHandsOver(RedisStores.from(client, uri));
      assertThatThrownBy(() -> RedisStores.from(client, uri).withTimeout(forever))
          .isInstanceOf(IllegalArgumentException.class);
    } finally {
      client.shutdown();
    }
  }

  @Test
  void theOldProtocolIsRefused() {
    RedisClient client = RedisClient.create();
    try {
      client.setOptions(ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build());
      RedisURI uri = RedisURI.create("redis://localhost");
      assertThatThrownBy(() -> RedisStores.from(client, uri))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("RESP3");
    } finally {
      client.shutdown();
    }
  }

  @Test
  void theOldProtocolIsRefusedForAClusterToo() {
    RedisURI uri = RedisURI.create("redis://localhost");
    RedisClusterClient client = RedisClusterClient.create(uri);
    try {
      client.setOptions(
          ClusterClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build());
      assertThatThrownBy(() -> RedisStores.from(client, uri))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("RESP3");
    } finally {
      client.shutdown();
    }
  }

  @Test
  void replicasAreNotTrustedToAClientThatSendsRequestsAgain() {
    RedisClient client = RedisClient.create();
    try {
      RedisStores stores = RedisStores.from(client, RedisURI.create("redis://localhost"));
      assertThatThrownBy(() -> stores.withReplicas(1, Duration.ofSeconds(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("disconnectedBehavior")
          .hasMessageContaining("REJECT_COMMANDS");
      assertThat(stores.withReplicas(0, Duration.ofSeconds(1))).isNotNull();

      client.setOptions(rejecting());
      StoreFactory checked = stores.withReplicas(1, Duration.ofSeconds(1));
      client.setOptions(ClientOptions.create());
      assertThatThrownBy(() -> new StoreProbe(checked, "test", Timings.DEFAULT))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("REJECT_COMMANDS");
    } finally {
      client.shutdown();
    }
  }

  @Test
  void replicasConfirmToAClientThatGivesUpWhatWasUnderWay() {
    try (RedisServer master = RedisServer.start();
        RedisServer replica = RedisServer.builder().replicaOf(master).start()) {
      await().atMost(Delays.patience()).until(() -> master.isFollowedBy(replica));
      RedisClient client = RedisClient.create();
      client.setOptions(rejecting());
      try {
        assertHandsOver(
            RedisStores.from(client, RedisURI.create(master.url()))
                .withReplicas(1, Duration.ofSeconds(2)));
      } finally {
        client.shutdown();
      }
    }
  }

  private static ClientOptions rejecting() {
    return ClientOptions.builder()
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .build();
  }

  @Test
  void limitsAreChecked() {
    RedisClient client = RedisClient.create();
    client.setOptions(rejecting());
    try {
      RedisStores stores = RedisStores.from(client, RedisURI.create("redis://localhost"));
      assertThatThrownBy(() -> stores.withTimeout(Duration.ZERO))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> stores.withReplicas(-1, Duration.ofSeconds(1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> stores.withReplicas(1, Duration.ofSeconds(3)))
          .isInstanceOf(IllegalArgumentException.class);
    } finally {
      client.shutdown();
    }
  }

  private static void assertHandsOver(StoreFactory factory) {
    try (StoreProbe holder = new StoreProbe(factory, "test", Timings.DEFAULT);
        StoreProbe waiter = new StoreProbe(factory, "test", Timings.DEFAULT)) {
      Grant grant = holder.claimed(ResourceId.lock("r"), 1);
      waiter.queued(ResourceId.lock("r"), 1);
      holder.release(ResourceId.lock("r"), grant);
      assertThat(waiter.notification()).isEqualTo("granted lock 'r' [1]");
      StoreProbe.force(waiter.store, ResourceId.lock("r"));
    }
  }
}
