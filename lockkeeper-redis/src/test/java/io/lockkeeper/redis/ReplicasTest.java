package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReplicasTest {

  static List<RedisBinary> binaries() {
    return Binaries.all();
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void aGrantCountsOnlyWithEnoughReplicas(RedisBinary binary) {
    try (RedisServer master = RedisServer.builder().binary(binary).start();
        RedisServer replica = startReplica(binary, master);
        StoreProbe client =
            Probes.open(master.url() + "?replicas=1&replicaTimeout=1500ms&timeout=10s")) {
      assertThat(client.store.traits().confirmsHandOver()).isTrue();
      Grant held = client.claimed("held", 1);
      client.release("r", client.claimed("r", 2));
      assertThat(StoreProbe.answer(client.renew("held", held)).renewed()).isTrue();

      replica.freeze();

      assertThat(client.claim("r", 3))
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              refused -> {
                assertThat(refused.problem()).isEqualTo(StoreProblem.NOT_REPLICATED);
                assertThat(refused.message()).contains("0 of 1 replicas");
              });
      assertThat(StoreProbe.answer(StoreProbe.get(client.store.inspect("r"))).holder()).isNull();
      assertThat(client.renew("held", held)).isInstanceOf(Outcome.Unknown.class);

      replica.thaw();

      await()
          .atMost(Delays.patience())
          .until(() -> client.claim("r", 4) instanceof Outcome.Answered<?>);
      assertThat(client.release("held", held).released()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void aFrozenReplicaDelaysManyClaimsHardlyLongerThanOne(RedisBinary binary) {
    try (RedisServer master = RedisServer.builder().binary(binary).start();
        RedisServer replica = startReplica(binary, master);
        StoreProbe client =
            Probes.open(master.url() + "?replicas=1&replicaTimeout=1500ms&timeout=20s")) {
      client.claimed("warm", 1);
      replica.freeze();
      long begin = System.nanoTime();
      List<CompletionStage<Outcome<ClaimAnswer>>> claims = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        claims.add(client.store.claim(StoreProbe.request("r" + i, i + 2L)));
      }
      for (CompletionStage<Outcome<ClaimAnswer>> claim : claims) {
        assertThat(StoreProbe.get(claim)).isInstanceOf(Outcome.Refused.class);
      }
      assertThat(System.nanoTime() - begin).isLessThan(Delays.millis(15_000).toNanos());
      replica.thaw();
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void aClusterConfirmsOnTheNodeOfTheSlot(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.startWithReplicas(binary);
        StoreProbe client =
            Probes.open(cluster.url() + "?replicas=1&replicaTimeout=1500ms&timeout=10s")) {
      for (int i = 0; i < 20; i++) {
        client.release("r" + i, client.claimed("r" + i, i + 1));
      }
      RedisServer master = cluster.masterOf("test:{r}");
      RedisServer replica = cluster.replicas().get(cluster.masters().indexOf(master));
      replica.freeze();

      assertThat(client.claim("r", 50))
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.NOT_REPLICATED));

      replica.thaw();
    }
  }

  private static RedisServer startReplica(RedisBinary binary, RedisServer master) {
    RedisServer replica = RedisServer.builder().binary(binary).replicaOf(master).start();
    await().atMost(Delays.patience()).until(() -> master.isFollowedBy(replica));
    return replica;
  }

  /**
   * What docs/stores.md does not promise with {@code ?afterLoss=grant} and without {@code
   * ?replicas=N}: a replica that is behind takes over, and does not know who holds the lock. The
   * tokens tell the two holders apart.
   */
  @Test
  void aReplicaThatIsBehindForgetsAHolderAndTheTokensTellTheTwoApart() {
    try (RedisServer master = RedisServer.start();
        RedisServer replica = startReplica(Binaries.newest(), master);
        Lockkeeper first = keeper(master.url() + "?afterLoss=grant")) {
      await().atMost(Delays.patience()).until(() -> (Long) replica.command("DBSIZE") > 0);
      replica.freeze();
      master.dropReplicas();
      Lease before = acquired(first);
      promote(replica, master);

      try (Lockkeeper second = keeper(replica.url() + "?afterLoss=grant")) {
        Lease after = acquired(second);

        assertThat(before.isValid()).as("nobody could tell the first holder").isTrue();
        assertThat(after.isValid()).isTrue();
        assertThat(after.token()).isGreaterThan(before.token());
      }
    }
  }

  /** What {@code ?replicas=N} promises: nobody relies on what the replica has not heard of. */
  @Test
  void whereReplicasAreWaitedForNobodyHoldsWhatTheReplicaThatTakesOverHasNotHeardOf() {
    try (RedisServer master = RedisServer.start();
        RedisServer replica = startReplica(Binaries.newest(), master);
        Lockkeeper first = keeper(master.url() + "?replicas=1&replicaTimeout=200ms")) {
      await().atMost(Delays.patience()).until(() -> (Long) replica.command("DBSIZE") > 0);
      replica.freeze();
      master.dropReplicas();

      assertThatThrownBy(() -> acquired(first)).hasRootCauseInstanceOf(StoreRefusedException.class);

      promote(replica, master);
      try (Lockkeeper second = keeper(replica.url() + "?afterLoss=grant")) {
        assertThat(acquired(second).isValid()).isTrue();
      }
    }
  }

  private static void promote(RedisServer replica, RedisServer master) {
    master.kill();
    replica.thaw();
    replica.command("REPLICAOF", "NO", "ONE");
  }

  private static Lockkeeper keeper(String url) {
    return Lockkeeper.builder().lease(Duration.ofHours(1)).connect(url);
  }

  private static Lease acquired(Lockkeeper keeper) {
    return keeper
        .lock("r")
        .acquireAsync()
        .toCompletableFuture()
        .orTimeout(Delays.patience().toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }
}
