package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.RedisServer.Data;
import io.lockkeeper.servers.fault.TcpProxy;
import io.lockkeeper.servers.fault.TcpProxy.Direction;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What goes wrong with one server and the way to it. */
@ParameterizedClass
@MethodSource("binaries")
@Execution(ExecutionMode.CONCURRENT)
class StoreFaultsTest {

  private final RedisServer server;
  private final List<AutoCloseable> open = new ArrayList<>();

  StoreFaultsTest(RedisBinary binary) {
    server = RedisServer.builder().binary(binary).start();
  }

  static List<RedisBinary> binaries() {
    return Binaries.allAndValkey();
  }

  @AfterEach
  void close() throws Exception {
    server.thawIfFrozen();
    for (AutoCloseable each : open) {
      each.close();
    }
    server.close();
  }

  private StoreProbe client() {
    StoreProbe client = Probes.open(server.url() + "?afterLoss=grant");
    open.add(client);
    return client;
  }

  private StoreProbe client(TcpProxy proxy) {
    StoreProbe client =
        Probes.open("redis://127.0.0.1:" + proxy.port() + "?timeout=2s&afterLoss=grant");
    open.add(0, client);
    return client;
  }

  private TcpProxy proxy() {
    TcpProxy proxy = new TcpProxy(RedisServer.HOST, server.port());
    open.add(proxy);
    return proxy;
  }

  @Test
  void flushedScriptsAreSentAgain() {
    StoreProbe client = client();
    for (int round = 0; round < 3; round++) {
      server.command("SCRIPT", "FLUSH");
      List<CompletionStage<Outcome<ClaimAnswer>>> claims = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        claims.add(
            client.store.claim(StoreProbe.request(ResourceId.lock("r" + i), 1_000L * round + i)));
      }
      for (int i = 0; i < 50; i++) {
        client.release(ResourceId.lock("r" + i), StoreProbe.granted(StoreProbe.get(claims.get(i))));
      }
    }
  }

  @Test
  void requestsReachTheServerInTheOrderOfTheirCalls() {
    StoreProbe client = client();
    Grant grant = client.claimed(ResourceId.lock("r"), 0);
    for (int i = 1; i <= 500; i++) {
      if (i % 100 == 0) {
        server.command("SCRIPT", "FLUSH");
      }
      ClaimRequest once =
          new ClaimRequest(ResourceId.lock("r"), i, StoreProbe.LEASE_MILLIS, 1, false);
      CompletionStage<Outcome<ReleaseAnswer>> released =
          client.store.release(StoreProbe.releaseRequest(ResourceId.lock("r"), grant));
      CompletionStage<Outcome<ClaimAnswer>> claimed = client.store.claim(once);
      assertThat(StoreProbe.answer(StoreProbe.get(released)).released()).isTrue();
      grant = StoreProbe.granted(StoreProbe.get(claimed));
    }
  }

  @Test
  void aKilledConnectionIsReplacedAndHearsAgain() {
    StoreProbe holder = client();
    StoreProbe waiter = client();
    Grant grant = holder.claimed(ResourceId.lock("r"), 1);
    waiter.queued(ResourceId.lock("r"), 1);

    server.command("CLIENT", "KILL", "TYPE", "pubsub");

    assertThat(holder.notification()).isEqualTo("reconnected");
    assertThat(waiter.notification()).isEqualTo("reconnected");
    holder.release(ResourceId.lock("r"), grant);
    assertThat(waiter.notification()).isEqualTo("granted lock 'r' [1]");
  }

  @Test
  void tokensGrowOverAFlush() {
    StoreProbe client = client();
    Grant before = client.claimed(ResourceId.lock("r"), 1);

    server.command("FLUSHALL");

    assertThat(client.release(ResourceId.lock("r"), before).released()).isFalse();
    assertThat(client.claimed(ResourceId.lock("r"), 2).firstToken())
        .isGreaterThan(before.lastToken());
  }

  @Test
  void waitersWhoseQueueWasLostAreTold() {
    StoreProbe holder = client();
    StoreProbe waiter = client();
    holder.claimed(ResourceId.lock("r"), 1);
    waiter.queued(ResourceId.lock("r"), 1);

    server.command("FLUSHALL");

    assertThat(waiter.poll(ResourceId.lock("r"), 1).toString()).startsWith("Gone");
  }

  @Test
  void aQueueWhoseRecordWasLostIsFoundAgain() {
    StoreProbe holder = client();
    StoreProbe waiter = client();
    holder.claimed(ResourceId.lock("r"), 1);
    waiter.queued(ResourceId.lock("r"), 1);
    server.command("DEL", "test:{r}");
    Grant other = holder.claimed(ResourceId.lock("r"), 2);

    assertThat(waiter.poll(ResourceId.lock("r"), 1).toString()).startsWith("Queued");
    holder.release(ResourceId.lock("r"), other);
    assertThat(waiter.notification()).isEqualTo("granted lock 'r' [1]");
  }

  @Test
  void tokensGrowOverARestartWithoutData() {
    StoreProbe client = client();
    Grant before = client.claimed(ResourceId.lock("r"), 1);

    server.restart(Data.LOST);

    assertThat(client.notification()).isEqualTo("reconnected");
    assertThat(StoreProbe.answer(client.renew(ResourceId.lock("r"), before)).renewed()).isFalse();
    assertThat(client.claimed(ResourceId.lock("r"), 2).firstToken())
        .isGreaterThan(before.lastToken());
  }

  @Test
  void aDeadServerLeavesOutcomesUnknownAtOnce() {
    StoreProbe client = client();
    client.claimed(ResourceId.lock("r"), 1);

    server.kill();

    await()
        .atMost(Delays.patience())
        .untilAsserted(
            () ->
                assertThat(client.claim(ResourceId.lock("r2"), 2))
                    .isInstanceOf(Outcome.Unknown.class));
    server.restart(Data.LOST);
    assertThat(client.notification()).isEqualTo("reconnected");
    client.claimed(ResourceId.lock("r2"), 2);
  }

  @Test
  void aFullMemoryRefusesClaimsAndNothingElse() {
    StoreProbe holder = client();
    StoreProbe waiter = client();
    Grant grant = holder.claimed(ResourceId.lock("r"), 1);
    Grant alone = holder.claimed(ResourceId.lock("alone"), 2);
    waiter.queued(ResourceId.lock("r"), 1);
    waiter.queued(ResourceId.lock("r"), 2);
    holder.queued(ResourceId.lock("r"), 3);
    server.command("CONFIG", "SET", "maxmemory", "1");

    assertThat(waiter.claim(ResourceId.lock("other"), 3).toString()).contains("FULL");
    assertThat(waiter.claim(ResourceId.lock("r"), 4).toString()).contains("FULL");
    assertThat(server.command("EXISTS", "test:{other}")).isEqualTo(0L);
    assertThat(StoreProbe.answer(holder.renew(ResourceId.lock("r"), grant)).renewed()).isTrue();
    assertThat(waiter.poll(ResourceId.lock("r"), 1).toString()).startsWith("Queued");
    assertThat(StoreProbe.answer(StoreProbe.get(waiter.store.withdraw(ResourceId.lock("r"), 2))))
        .isNotNull();
    assertThat(holder.release(ResourceId.lock("alone"), alone).released()).isTrue();
    assertThat(holder.release(ResourceId.lock("r"), grant).released()).isTrue();
    assertThat(waiter.notification()).isEqualTo("granted lock 'r' [1]");
    assertThat(StoreProbe.answer(waiter.renew(ResourceId.lock("r"), grant)).renewed()).isTrue();
    assertThat(StoreProbe.answer(StoreProbe.force(waiter.store, ResourceId.lock("r"))).wasHeld())
        .isTrue();
    assertThat(holder.notification()).isEqualTo("granted lock 'r' [3]");
  }

  @Test
  void aFullMemoryDoesNotKeepAGrantThatIsExchangedForAnother() {
    StoreProbe client = client();
    Grant grant = client.claimed(ResourceId.lock("r"), 1);
    server.command("CONFIG", "SET", "maxmemory", "1");

    ReleaseAnswer answer =
        StoreProbe.answer(
            StoreProbe.get(
                client.store.release(
                    new io.lockkeeper.spi.ReleaseRequest(
                        ResourceId.lock("r"),
                        1,
                        grant.lastToken(),
                        StoreProbe.request(ResourceId.lock("r"), 2)))));

    assertThat(answer.released()).isTrue();
    assertThat(answer.next()).isNotNull();
  }

  @Test
  void aFrozenServerLeavesOutcomesUnknownAndNoLockForLongerThanALease() {
    StoreProbe client = Probes.open(server.url() + "?timeout=2s&afterLoss=grant");
    open.add(client);
    client.claimed(ResourceId.lock("warm"), 1);
    server.freeze();
    ClaimRequest late = new ClaimRequest(ResourceId.lock("r"), 2, 1_000, 1, true);

    assertThat(StoreProbe.get(client.store.claim(late))).isInstanceOf(Outcome.Unknown.class);
    server.thaw();

    await()
        .atMost(Delays.patience())
        .untilAsserted(() -> assertThat(client.notifications).contains("reconnected"));
    await()
        .atMost(Delays.patience())
        .until(
            () ->
                StoreProbe.answer(StoreProbe.get(client.store.inspect(ResourceId.lock("r"))))
                        .holder()
                    == null);
    client.claimed(ResourceId.lock("r"), 3);
  }

  @Test
  void aLostReplyIsFoundOutByAskingAgain() {
    TcpProxy proxy = proxy();
    StoreProbe client = client(proxy);
    client.claimed(ResourceId.lock("warm"), 1);
    proxy.swallow(Direction.TO_CLIENT);

    assertThat(client.claim(ResourceId.lock("r"), 2)).isInstanceOf(Outcome.Unknown.class);
    long token = holderToken();
    proxy.heal();

    awaitReconnected(client);
    Grant grant = StoreProbe.granted(client.claim(ResourceId.lock("r"), 2));
    assertThat(grant.firstToken()).isEqualTo(token);
    assertThat(client.release(ResourceId.lock("r"), grant).released()).isTrue();
  }

  /** Leases are long, so that nothing but its own polls can help the waiter. */
  @Test
  void aWaiterGetsOnThoughNoMessageReachesIt() {
    TcpProxy deaf = TcpProxy.ofRedis(RedisServer.HOST, server.port());
    open.add(deaf);
    try (Lockkeeper holder = keeper(server.port());
        Lockkeeper waiter = keeper(deaf.port())) {
      for (int i = 0; i < 3; i++) {
        deaf.losePushes();
        Lease held = holder.lock("r").acquireAsync().toCompletableFuture().join();
        CompletableFuture<Lease> next = waiter.lock("r").acquireAsync().toCompletableFuture();
        await().atMost(Delays.patience()).until(() -> isWaitedFor(holder));

        held.release();

        next.orTimeout(Delays.patience().toMillis(), TimeUnit.MILLISECONDS).join().release();
      }
    }
  }

  private static boolean isWaitedFor(Lockkeeper keeper) {
    return keeper.admin().inspect().stream().anyMatch(report -> !report.waiters().isEmpty());
  }

  private static Lockkeeper keeper(int port) {
    return Lockkeeper.builder()
        .lease(Duration.ofHours(1))
        .connect("redis://127.0.0.1:" + port + "?afterLoss=grant");
  }

  @Test
  void aReplyThatIsLostWithItsConnectionIsFoundOutByAskingAgain() {
    TcpProxy proxy = TcpProxy.ofRedis(RedisServer.HOST, server.port());
    open.add(proxy);
    StoreProbe client = client(proxy);
    client.claimed(ResourceId.lock("warm"), 1);
    proxy.loseReply(1);

    assertThat(client.claim(ResourceId.lock("r"), 2)).isInstanceOf(Outcome.Unknown.class);

    awaitReconnected(client);
    long token = holderToken();
    assertThat(StoreProbe.granted(client.claim(ResourceId.lock("r"), 2)).firstToken())
        .isEqualTo(token);
  }

  @Test
  void aLostRequestIsNotCarriedOut() {
    TcpProxy proxy = proxy();
    StoreProbe client = client(proxy);
    client.claimed(ResourceId.lock("warm"), 1);
    proxy.swallow(Direction.TO_SERVER);

    assertThat(client.claim(ResourceId.lock("r"), 2)).isInstanceOf(Outcome.Unknown.class);
    proxy.heal();

    awaitReconnected(client);
    client.claimed(ResourceId.lock("r"), 3);
  }

  @Test
  void aHalfOpenConnectionIsReplaced() {
    TcpProxy proxy = proxy();
    StoreProbe client = client(proxy);
    client.claimed(ResourceId.lock("warm"), 1);
    proxy.swallow(Direction.TO_SERVER);
    proxy.swallow(Direction.TO_CLIENT);

    assertThat(client.claim(ResourceId.lock("r"), 2)).isInstanceOf(Outcome.Unknown.class);
    await().atMost(Delays.patience()).until(() -> proxy.connections() > 1);
    proxy.heal();

    awaitReconnected(client);
    client.claimed(ResourceId.lock("r"), 2);
  }

  @Test
  void brokenConnectionsAreReplacedAtOnce() {
    TcpProxy proxy = proxy();
    StoreProbe client = client(proxy);
    for (int i = 0; i < 10; i++) {
      proxy.reset();
      awaitReconnected(client);
      client.notifications.clear();
    }
    client.claimed(ResourceId.lock("r"), 1);
  }

  @Test
  void aSlowWayIsOnlySlow() {
    TcpProxy proxy = proxy();
    StoreProbe client = client(proxy);
    client.claimed(ResourceId.lock("warm"), 2);
    proxy.delay(Duration.ofMillis(100));

    client.release(ResourceId.lock("r"), client.claimed(ResourceId.lock("r"), 1));

    assertThat(client.notifications).isEmpty();
  }

  private static void awaitReconnected(StoreProbe client) {
    await().atMost(Delays.patience()).until(() -> client.notifications.contains("reconnected"));
  }

  private long holderToken() {
    return StoreProbe.answer(StoreProbe.get(client().store.inspect(ResourceId.lock("r"))))
        .holder()
        .token();
  }
}
