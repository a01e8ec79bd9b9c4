package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.event.command.CommandListener;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs once on each version of the driver that is supported. */
@Tag("driver")
class DriverVersionTest {

  @Test
  void theVersionIsTheOneThatThisRunIsFor() {
    String expected = System.getProperty("lockkeeper.test.lettuce", "7.");
    assertThat(ClientOptions.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .contains("lettuce-core-" + expected);
  }

  @Test
  void anUrlConnects() {
    try (RedisServer server = RedisServer.start();
        Lockkeeper keeper = Lockkeeper.connect(server.url())) {
      DistributedLock lock = keeper.lock("r");
      assertThat(lock.tryLock()).isTrue();
      lock.unlock();
    }
  }

  @Test
  void whatWasUnderWayWhenAConnectionWasLostIsNotSentAgain() throws Exception {
    try (RedisServer server = RedisServer.start();
        StoreProbe client = Probes.open(server.url() + "?afterLoss=grant&timeout=60s")) {
      client.claimed(ResourceId.lock("before"), 1);
      server.command("CLIENT", "PAUSE", "60000", "WRITE");
      var claim =
          client.store.claim(StoreProbe.request(ResourceId.lock("r"), 2)).toCompletableFuture();
      server.command("CLIENT", "KILL", "TYPE", "pubsub");

      assertThat(claim.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS))
          .as("the claim, though its time limit has not passed")
          .isInstanceOf(Outcome.Unknown.class);
      assertThat(client.notification()).isEqualTo("reconnected");
      server.command("CLIENT", "UNPAUSE");
      assertThat(server.command("EXISTS", "test:{r}")).isEqualTo(0L);
    }
  }

  @Test
  void aConnectionIsClosedHoweverItsWritesAreWrapped() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      RedisClient client = RedisClient.create(RedisURI.create(server.url()));
      try {
        client.addListener(new CommandListener() {});
        client.setOptions(
            ClientOptions.builder()
                .timeoutOptions(TimeoutOptions.enabled(Duration.ofSeconds(60)))
                .build());
        CountDownLatch lost = new CountDownLatch(1);
        StatefulRedisConnection<byte[], byte[]> connection =
            client.connect(ByteArrayCodec.INSTANCE);
        connection.addListener(
            new io.lettuce.core.RedisConnectionStateListener() {
              @Override
              public void onRedisDisconnected(io.lettuce.core.RedisChannelHandler<?, ?> gone) {
                lost.countDown();
              }
            });
        SingleLink.disconnect(connection);
        assertThat(lost.await(Delays.patience().toMillis(), TimeUnit.MILLISECONDS)).isTrue();
      } finally {
        client.shutdown();
      }
    }
  }

  @Test
  void aClientOfTheApplicationIsOnlyTrustedNotToSendAgainIfItsVersionDoesNot() {
    ClientOptions.Builder rejecting =
        ClientOptions.builder().disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS);
    boolean isSeven = System.getProperty("lockkeeper.test.lettuce") == null;
    assertThat(DriverVersion.neverSendsAgain(ClientOptions.create())).isFalse();
    assertThat(DriverVersion.neverSendsAgain(rejecting.build())).isEqualTo(isSeven);
    assertThat(DriverVersion.neverSendsAgain(rejecting.autoReconnect(false).build())).isTrue();
  }
}
