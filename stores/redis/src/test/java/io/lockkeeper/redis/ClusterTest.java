package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("full")
class ClusterTest {

  private static final int RESOURCES = 150;

  /** Of the messages between nodes, which loses those that are on a link that is made anew. */
  private static final int MOST_LOST = 2;

  static List<RedisBinary> binaries() {
    return Binaries.all();
  }

  @Tag("driver")
  @ParameterizedTest
  @MethodSource("binaries")
  void resourcesOfAllSlotsAreServedAndNotificationsPassBetweenNodes(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.start(binary);
        StoreProbe holder = Probes.open(cluster.url());
        StoreProbe waiter = Probes.open(cluster.url())) {
      List<RenewRequest> renewals = new ArrayList<>();
      List<PollRequest> polls = new ArrayList<>();
      for (int i = 0; i < RESOURCES; i++) {
        Grant grant = holder.claimed(ResourceId.lock("r" + i), i + 1);
        waiter.queued(ResourceId.lock("r" + i), i + 1);
        renewals.add(
            new RenewRequest(ResourceId.lock("r" + i), grant.grant(), StoreProbe.LEASE_MILLIS));
        polls.add(new PollRequest(ResourceId.lock("r" + i), i + 1));
      }
      assertThat(cluster.masters())
          .allSatisfy(master -> assertThat((Long) master.command("DBSIZE")).isPositive());

      assertThat(StoreProbe.get(holder.store.renew(renewals)))
          .containsOnly(Outcome.answered(new RenewAnswer(true, true)));
      assertThat(StoreProbe.get(waiter.store.poll(polls)))
          .allSatisfy(outcome -> assertThat(outcome.toString()).contains("Queued["));
      cluster.masters().forEach(master -> master.command("SCRIPT", "FLUSH"));
      int lost = 0;
      for (int i = 0; i < RESOURCES; i++) {
        holder.release(
            ResourceId.lock("r" + i),
            StoreProbe.granted(holder.claim(ResourceId.lock("r" + i), i + 1)));
        String expected = "granted lock 'r" + i + "' [" + (i + 1) + "]";
        String heard = waiter.notification();
        while (heard != null && !heard.equals(expected)) { // one that was late
          heard = waiter.notification();
        }
        lost += heard == null ? 1 : 0;
      }
      assertThat(lost).isLessThanOrEqualTo(MOST_LOST);
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void allKindsOfAllSlotsAreServedTogether(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.start(binary);
        StoreProbe holder = Probes.open(cluster.url());
        StoreProbe waiter = Probes.open(cluster.url())) {
      List<RenewRequest> renewals = new ArrayList<>();
      List<PollRequest> polls = new ArrayList<>();
      long claim = 0;
      for (int i = 0; i < RESOURCES; i++) {
        ResourceKind kind = i % 2 == 0 ? ResourceKind.LOCK : ResourceKind.SEMAPHORE;
        ResourceId resource = new ResourceId(kind, "r" + i);
        holder.claimed(resource, ++claim, Share.EXCLUSIVE);
        waiter.queued(resource, claim, Share.EXCLUSIVE);
        renewals.add(new RenewRequest(resource, claim, StoreProbe.LEASE_MILLIS));
        polls.add(new PollRequest(resource, claim));
      }

      assertThat(StoreProbe.get(holder.store.renew(renewals)))
          .hasSize(RESOURCES)
          .allSatisfy(outcome -> assertThat(StoreProbe.answer(outcome).renewed()).isTrue());
      assertThat(StoreProbe.get(waiter.store.poll(polls)))
          .hasSize(RESOURCES)
          .allSatisfy(outcome -> assertThat(outcome.toString()).contains("Queued["));
      cluster.masters().forEach(master -> master.command("SCRIPT", "FLUSH"));
      for (RenewRequest held : renewals) {
        StoreProbe.get(
            holder.store.release(
                new ReleaseRequest(held.resource(), held.grant(), ReleaseRequest.UNKNOWN, null)));
        assertThat(waiter.notification())
            .isEqualTo("granted " + held.resource() + " [" + held.grant() + "]");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void theResourcesAndClientsOfAllNodesAreListed(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.start(binary);
        StoreProbe holder = Probes.open(cluster.url());
        StoreProbe other = Probes.open(cluster.url())) {
      List<ResourceId> held = new ArrayList<>();
      for (int i = 0; i < RESOURCES; i++) {
        held.add(ResourceId.lock("r" + i));
        holder.claimed(ResourceId.lock("r" + i), i + 1);
      }

      assertThat(StoreProbe.answer(StoreProbe.get(other.store.resources(Listing.all()))))
          .containsExactlyInAnyOrderElementsOf(held);
      assertThat(
              StoreProbe.answer(StoreProbe.get(other.store.clients(List.of(holder.id, other.id)))))
          .extracting(ClientInfo::name)
          .containsExactly("test client", "test client");
      assertThat(
              StoreProbe.answer(
                      StoreProbe.get(
                          other.store.forceRelease(
                              new ForceRequest(
                                  ResourceId.lock("r7"), holder.id, 8, Long.MAX_VALUE))))
                  .wasHeld())
          .isTrue();
      assertThat(holder.notification()).isEqualTo("revoked lock 'r7'");
    }
  }

  /**
   * The old master lives on and says where the slots are now. Who waits for replicas chooses the
   * node of a call itself, and so has to learn from that.
   */
  @Tag("slow")
  @ParameterizedTest
  @MethodSource("binaries")
  void slotsThatMoveToALivingReplicaAreFollowedThoughReplicasConfirm(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.startWithReplicas(binary);
        StoreProbe client =
            Probes.open(cluster.url() + "?replicas=1&replicaTimeout=500ms&timeout=1s")) {
      RedisServer master = cluster.masterOf("test:{r}");
      client.release(ResourceId.lock("r"), client.claimed(ResourceId.lock("r"), 1));
      for (long claim = 2; claim < 5; claim++) {
        RedisServer next = cluster.partnerOf(master);
        cluster.switchTo(next);
        cluster.awaitWhole();
        master = next;
        long wanted = claim;

        await()
            .atMost(Delays.millis(10_000))
            .until(() -> client.claim(ResourceId.lock("r"), wanted) instanceof Outcome.Answered<?>);
        client.release(
            ResourceId.lock("r"), StoreProbe.granted(client.claim(ResourceId.lock("r"), wanted)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void aReplicaThatTakesOverServesItsSlots(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.startWithReplicas(binary);
        StoreProbe client = Probes.open(cluster.url() + "?timeout=1s")) {
      RedisServer victim = cluster.masterOf("test:{r}");
      Grant before = client.claimed(ResourceId.lock("r"), 1);
      client.claimed(ResourceId.lock("elsewhere"), 2);

      victim.kill();
      cluster.awaitMaster(cluster.partnerOf(victim));

      await()
          .atMost(Delays.limit(30_000))
          .untilAsserted(
              () ->
                  assertThat(StoreProbe.force(client.store, ResourceId.lock("r")))
                      .isInstanceOf(Outcome.Answered.class));
      Grant after = client.claimed(ResourceId.lock("r"), 3);
      assertThat(after.firstToken()).isGreaterThan(before.lastToken());
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void callsOnOneResourceKeepTheirOrder(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.start(binary);
        StoreProbe client = Probes.open(cluster.url())) {
      Grant grant = client.claimed(ResourceId.lock("r"), 0);
      for (int i = 1; i <= 300; i++) {
        var released = client.store.release(StoreProbe.releaseRequest(ResourceId.lock("r"), grant));
        CompletionStage<Outcome<ClaimAnswer>> claimed =
            client.store.claim(StoreProbe.request(ResourceId.lock("r"), i));
        assertThat(StoreProbe.answer(StoreProbe.get(released)).released()).isTrue();
        grant = StoreProbe.granted(StoreProbe.get(claimed));
      }
    }
  }
}
