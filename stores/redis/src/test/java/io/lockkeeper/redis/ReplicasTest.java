package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.servers.CommandStat;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
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
      Grant held = client.claimed(ResourceId.lock("held"), 1);
      client.release(ResourceId.lock("r"), client.claimed(ResourceId.lock("r"), 2));
      assertThat(StoreProbe.answer(client.renew(ResourceId.lock("held"), held)).renewed()).isTrue();

      replica.freeze();

      assertThat(client.claim(ResourceId.lock("r"), 3))
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              refused -> {
                assertThat(refused.problem()).isEqualTo(StoreProblem.NOT_REPLICATED);
                assertThat(refused.message()).contains("0 of 1 replicas");
              });
      assertThat(
              StoreProbe.answer(StoreProbe.get(client.store.inspect(ResourceId.lock("r"))))
                  .holder())
          .isNull();
      assertThat(client.renew(ResourceId.lock("held"), held)).isInstanceOf(Outcome.Unknown.class);

      replica.thaw();

      await()
          .atMost(Delays.patience())
          .until(() -> client.claim(ResourceId.lock("r"), 4) instanceof Outcome.Answered<?>);
      assertThat(client.release(ResourceId.lock("held"), held).released()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void aFrozenReplicaDelaysManyClaimsHardlyLongerThanOne(RedisBinary binary) {
    try (RedisServer master = RedisServer.builder().binary(binary).start();
        RedisServer replica = startReplica(binary, master);
        StoreProbe client =
            Probes.open(master.url() + "?replicas=1&replicaTimeout=1500ms&timeout=20s")) {
      client.claimed(ResourceId.lock("warm"), 1);
      replica.freeze();
      long begin = System.nanoTime();
      List<CompletionStage<Outcome<ClaimAnswer>>> claims = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        claims.add(client.store.claim(StoreProbe.request(ResourceId.lock("r" + i), i + 2L)));
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
        client.release(ResourceId.lock("r" + i), client.claimed(ResourceId.lock("r" + i), i + 1));
      }
      RedisServer master = cluster.masterOf("test:{r}");
      RedisServer replica = cluster.replicas().get(cluster.masters().indexOf(master));
      replica.freeze();

      assertThat(client.claim(ResourceId.lock("r"), 50))
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

  /**
   * A script that the server does not know is sent again. What replicas have of the first attempt,
   * which did nothing, says nothing about the second.
   */
  @ParameterizedTest
  @MethodSource("binaries")
  void aGrantThatTookTwoAttemptsIsConfirmedByReplicasToo(RedisBinary binary) {
    try (RedisServer master = RedisServer.builder().binary(binary).start();
        RedisServer replica = startReplica(binary, master);
        StoreProbe client =
            Probes.open(master.url() + "?replicas=1&replicaTimeout=1500ms&timeout=10s")) {
      client.release(ResourceId.lock("r"), client.claimed(ResourceId.lock("r"), 1));
      master.command("SCRIPT", "FLUSH");
      awaitAcknowledged(master);
      replica.freeze();

      assertThat(client.claim(ResourceId.lock("r"), 2)).isInstanceOf(Outcome.Refused.class);

      replica.thaw();
    }
  }

  /**
   * The driver of an application may send what was under way again, on a connection to a server
   * that has forgotten it all. What that one says of its replicas is about other writes.
   */
  @Test
  void whatAnotherServerSaysOfItsReplicasConfirmsNothing() {
    RedisClient driver = RedisClient.create(); // with options that RedisStores would not take
    try (RedisServer master = RedisServer.start();
        RedisServer replica = startReplica(Binaries.newest(), master);
        StoreProbe client =
            new StoreProbe(context -> open(driver, master, context), "test", Timings.DEFAULT)) {
      replica.freeze();
      CompletionStage<Outcome<ClaimAnswer>> claim =
          client.store.claim(StoreProbe.request(ResourceId.lock("r"), 1));
      awaitRecord(master);

      master.restart(RedisServer.Data.LOST);
      replica.thaw();
      await().atMost(Delays.patience()).until(() -> master.isFollowedBy(replica));

      assertThat(StoreProbe.get(claim)).isNotInstanceOf(Outcome.Answered.class);
    } finally {
      driver.shutdown();
    }
  }

  private static Store open(RedisClient driver, RedisServer master, StoreContext context) {
    Opener opener =
        new Opener(
            context,
            new Opening(
                master.url(), Delays.millis(20_000), () -> null, context.environment().time()),
            Delays.millis(20_000),
            new Replication(1, Delays.millis(15_000)),
            LossRule.OF_URLS.with(AfterLoss.GRANT),
            true);
    return opener.single(
        driver, RedisURI.create(master.url()), () -> null, opener::closeConnections);
  }

  private static void awaitRecord(RedisServer server) {
    await()
        .atMost(Delays.patience())
        .until(() -> Long.valueOf(1).equals(server.command("EXISTS", "test:{r}")));
  }

  @Test
  void aMasterThatFreezesWhileReplicasAreWaitedForCostsNoMoreThanItsTimeLimit() {
    try (RedisServer master = RedisServer.start();
        RedisServer replica = startReplica(Binaries.newest(), master);
        StoreProbe client =
            Probes.open(master.url() + "?replicas=1&replicaTimeout=8s&timeout=9s")) {
      replica.freeze();
      CompletionStage<Outcome<ClaimAnswer>> claim =
          client.store.claim(StoreProbe.request(ResourceId.lock("r"), 1));
      awaitRecord(master);
      master.freeze();

      assertThat(StoreProbe.get(claim)).isInstanceOf(Outcome.Unknown.class);

      master.thaw();
      replica.thaw();
    }
  }

  @Test
  void aWaitEndsWithThePatienceThoughTheMasterFreezesWhileReplicasAreWaitedFor() {
    try (RedisServer master = RedisServer.start();
        RedisServer replica = startReplica(Binaries.newest(), master);
        Lockkeeper keeper =
            Lockkeeper.builder()
                .storeTimeout(Duration.ofSeconds(10))
                .connect(master.url() + "?replicas=1&replicaTimeout=4s&timeout=5s")) {
      replica.freeze();
      CompletableFuture<Boolean> tried =
          CompletableFuture.supplyAsync(
              keeper.lock("r")::tryLock, task -> new Thread(task).start());
      await()
          .atMost(Delays.patience())
          .until(() -> Long.valueOf(1).equals(master.command("EXISTS", "lockkeeper:{r}")));
      master.freeze();

      assertThatThrownBy(() -> tried.get(Delays.millis(40_000).toMillis(), TimeUnit.MILLISECONDS))
          .hasCauseInstanceOf(StoreUnavailableException.class);

      master.thaw();
      replica.thaw();
    }
  }

  /** Otherwise a limit that was lowered is the old one again once the replica is master. */
  @ParameterizedTest
  @MethodSource("binaries")
  void aLimitIsSetWhenEnoughReplicasHaveIt(RedisBinary binary) {
    ResourceId semaphore = new ResourceId(ResourceKind.SEMAPHORE, "s");
    ResizeRequest lower = new ResizeRequest(semaphore, 7, ResizeRequest.Kind.SET, 3, 5, 60_000);
    try (RedisServer master = RedisServer.builder().binary(binary).start();
        RedisServer replica = startReplica(binary, master);
        StoreProbe client =
            Probes.open(master.url() + "?replicas=1&replicaTimeout=1500ms&timeout=10s")) {
      replica.freeze();

      assertThat(StoreProbe.get(client.store.resize(lower))).isInstanceOf(Outcome.Unknown.class);
      assertThat(StoreProbe.get(client.store.resize(lower)))
          .as("the copy of a change that the master has made")
          .isInstanceOf(Outcome.Unknown.class);

      replica.thaw();
      await()
          .atMost(Delays.patience())
          .until(() -> StoreProbe.get(client.store.resize(lower)) instanceof Outcome.Answered);
    }
  }

  /** Otherwise somebody goes on behind a latch that is closed again once the replica is master. */
  @ParameterizedTest
  @MethodSource("binaries")
  void whatIsReadOfACellIsWhatEnoughReplicasHave(RedisBinary binary) {
    CellId cell = new CellId(CellKind.LATCH, "l");
    CellId absent = new CellId(CellKind.LATCH, "absent");
    try (RedisServer master = RedisServer.builder().binary(binary).start();
        RedisServer replica = startReplica(binary, master);
        StoreProbe writer = Probes.open(master.url());
        StoreProbe reader =
            Probes.open(master.url() + "?replicas=1&replicaTimeout=1500ms&timeout=10s")) {
      set(writer, cell, 1, new CellChange.Put(CellValue.of(1), 0));
      assertThat(read(reader, cell)).isInstanceOf(Outcome.Answered.class);
      assertThat(read(reader, absent)).isInstanceOf(Outcome.Answered.class);
      replica.freeze();
      set(writer, cell, 2, new CellChange.Put(CellValue.of(0), 0));

      assertThat(read(reader, cell)).isInstanceOf(Outcome.Unknown.class);
      assertThat(read(reader, absent)).isInstanceOf(Outcome.Unknown.class);

      replica.thaw();
      await().atMost(Delays.patience()).until(() -> read(reader, cell) instanceof Outcome.Answered);
    }
  }

  @Test
  void nobodyPassesALatchThatTheReplicaBelievesToBeClosed() {
    try (RedisServer master = RedisServer.start();
        RedisServer replica = startReplica(Binaries.newest(), master);
        Lockkeeper opener = Lockkeeper.connect(master.url());
        Lockkeeper waiter = Lockkeeper.connect(master.url() + "?replicas=1&replicaTimeout=200ms")) {
      DistributedCountDownLatch latch = opener.countDownLatch("l");
      latch.trySetCount(1);
      CompletableFuture<Void> passed =
          waiter.countDownLatch("l").awaitAsync().toCompletableFuture();
      await().atMost(Delays.patience()).until(() -> watches(master, "lockkeeper:{l}:lat:w"));
      awaitAcknowledged(master);
      replica.freeze();
      master.dropReplicas();

      latch.countDown();

      awaitCalls(master, "wait", 3); // it has read the open latch, and again
      assertThat(passed).isNotDone();
      promote(replica, master);
      try (Lockkeeper after = Lockkeeper.connect(replica.url())) {
        assertThat(after.countDownLatch("l").getCount()).hasValue(1);
      }
      assertThat(passed).isNotDone();
    }
  }

  /** Waits until the replica has said that it has everything. */
  private static void awaitAcknowledged(RedisServer master) {
    await()
        .atMost(Delays.patience())
        .until(
            () -> {
              Map<String, String> info = master.info("replication");
              return info.get("slave0").contains("offset=" + info.get("master_repl_offset") + ",");
            });
  }

  private static boolean watches(RedisServer server, String key) {
    return Long.valueOf(1).equals(server.command("ZCARD", key));
  }

  private static void awaitCalls(RedisServer server, String command, long calls) {
    server.resetStats();
    await()
        .atMost(Delays.patience())
        .until(
            () -> {
              CommandStat stat = server.commandStats().get(command);
              return stat != null && stat.calls() >= calls;
            });
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void allMembersPassABarrierOrNoneWhileReplicasAreMissing(RedisBinary binary) {
    ResourceId barrier = new ResourceId(ResourceKind.BARRIER, "b");
    Share two = new Share(1, 2, false);
    try (RedisServer master = RedisServer.builder().binary(binary).start();
        RedisServer replica = startReplica(binary, master);
        StoreProbe first =
            Probes.open(master.url() + "?replicas=1&replicaTimeout=1500ms&timeout=10s");
        StoreProbe second =
            Probes.open(master.url() + "?replicas=1&replicaTimeout=1500ms&timeout=10s")) {
      first.queued(barrier, 1, two);
      awaitAcknowledged(master);
      replica.freeze();

      assertThat(StoreProbe.get(second.store.claim(StoreProbe.request(barrier, 1, two))))
          .isInstanceOf(Outcome.Unknown.class);
      assertThat(polled(first, barrier)).isInstanceOf(Outcome.Unknown.class);
      assertThat(first.notifications).isEmpty();

      replica.thaw();
      await()
          .atMost(Delays.patience())
          .until(() -> polled(first, barrier) instanceof Outcome.Answered<?>);
      assertThat(StoreProbe.answer(polled(first, barrier))).isInstanceOf(PollAnswer.Granted.class);
      second.claimed(barrier, 1, two);
    }
  }

  @Test
  void aBarrierOpensForAllWhenItsReplicaIsBack() {
    try (RedisServer master = RedisServer.start();
        RedisServer replica = startReplica(Binaries.newest(), master);
        Lockkeeper first = Lockkeeper.connect(master.url() + "?replicas=1&replicaTimeout=500ms");
        Lockkeeper second = Lockkeeper.connect(master.url() + "?replicas=1&replicaTimeout=500ms")) {
      CompletableFuture<?> one = first.barrier("b", 2).awaitAsync().toCompletableFuture();
      await()
          .atMost(Delays.patience())
          .until(() -> Long.valueOf(1).equals(master.command("ZCARD", "lockkeeper:{b}:bar:q")));
      awaitAcknowledged(master);
      replica.freeze();

      CompletableFuture<?> two = second.barrier("b", 2).awaitAsync().toCompletableFuture();
      awaitCalls(master, "wait", 3);
      assertThat(one).isNotDone();
      assertThat(two).isNotDone();

      replica.thaw();
      assertThat(CompletableFuture.allOf(one, two)).succeedsWithin(Delays.patience());
    }
  }

  private static Outcome<PollAnswer> polled(StoreProbe client, ResourceId resource) {
    return StoreProbe.get(client.store.poll(List.of(new PollRequest(resource, 1)))).get(0);
  }

  private static void set(StoreProbe client, CellId cell, long batch, CellChange change) {
    StoreProbe.answer(
        StoreProbe.get(client.store.update(new CellUpdate(cell, batch, List.of(change), 60_000))));
  }

  private static Outcome<CellState> read(StoreProbe client, CellId cell) {
    return StoreProbe.get(client.store.read(List.of(new CellRead(cell, false, 0)))).get(0);
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
