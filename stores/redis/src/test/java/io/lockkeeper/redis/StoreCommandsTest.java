package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.servers.CommandStat;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What each operation costs at the server, counted there: what is sent and what scripts call. */
@ParameterizedClass
@MethodSource("binaries")
class StoreCommandsTest {

  private final RedisServer server;
  private StoreProbe a;
  private StoreProbe b;

  StoreCommandsTest(RedisBinary binary) {
    server = RedisServer.builder().binary(binary).start();
  }

  static List<RedisBinary> binaries() {
    return Binaries.all();
  }

  @BeforeEach
  void connect() {
    a = Probes.open(server.url());
    b = Probes.open(server.url());
  }

  @AfterEach
  void disconnect() {
    a.close();
    b.close();
    server.close();
  }

  @Test
  void claimAndReleaseTouchOnlyTheRecord() {
    a.release(ResourceId.lock("r"), a.claimed(ResourceId.lock("r"), 1));
    server.resetStats();

    a.release(ResourceId.lock("r"), a.claimed(ResourceId.lock("r"), 2));

    assertThat(counts())
        .isEqualTo(
            Map.of("evalsha", 2L, "time", 2L, "hmget", 2L, "hset", 1L, "pexpire", 1L, "hdel", 1L));
  }

  @Test
  void aBlockOfTokensCostsNoMore() {
    Grant first = StoreProbe.granted(StoreProbe.get(a.store.claim(block(1))));
    a.release(ResourceId.lock("r"), first);
    server.resetStats();

    Grant grant = StoreProbe.granted(StoreProbe.get(a.store.claim(block(2))));
    StoreProbe.get(
        a.store.release(new ReleaseRequest(ResourceId.lock("r"), 2, grant.firstToken(), null)));

    assertThat(sum(counts())).isLessThanOrEqualTo(10);
    assertThat(counts()).containsEntry("evalsha", 2L).doesNotContainKey("publish");
  }

  @Test
  void aHandOverIsTwoCallsPerAcquisitionWhateverTheNumberOfWaiters() {
    List<StoreProbe> waiters = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiters.add(Probes.open(server.url()));
    }
    try {
      Grant grant = a.claimed(ResourceId.lock("r"), 1);
      server.resetStats();
      waiters.forEach(waiter -> waiter.queued(ResourceId.lock("r"), 1));
      a.release(ResourceId.lock("r"), grant);
      for (StoreProbe waiter : waiters) {
        assertThat(waiter.notification()).startsWith("granted");
        StoreProbe.get(
            waiter.store.release(
                new ReleaseRequest(ResourceId.lock("r"), 1, ReleaseRequest.UNKNOWN, null)));
      }
      assertThat(counts()).containsEntry("evalsha", 41L).containsEntry("publish", 20L);
      assertThat(sum(counts())).isLessThan(20 * 22);
    } finally {
      waiters.forEach(StoreProbe::close);
    }
  }

  @Test
  void theNextGrantOfTheSameClientIsNotPublished() {
    Grant grant = a.claimed(ResourceId.lock("r"), 1);
    a.queued(ResourceId.lock("r"), 2);
    server.resetStats();

    assertThat(a.release(ResourceId.lock("r"), grant).next()).isNotNull();

    assertThat(counts()).doesNotContainKey("publish");
  }

  @Test
  void aHolderWithoutTokensToSpareIsNotTold() {
    a.claimed(ResourceId.lock("r"), 1);
    server.resetStats();

    b.queued(ResourceId.lock("r"), 1);

    assertThat(counts()).doesNotContainKey("publish");
  }

  @Test
  void aHolderWithTokensToSpareIsToldOnce() {
    StoreProbe.granted(StoreProbe.get(a.store.claim(block(1))));
    server.resetStats();

    b.queued(ResourceId.lock("r"), 1);
    b.queued(ResourceId.lock("r"), 2);
    b.queued(ResourceId.lock("r"), 2);

    assertThat(counts()).containsEntry("publish", 1L);
    assertThat(a.notification()).isEqualTo("contended lock 'r'");
  }

  @Test
  void hundredRenewalsAreOneCall() {
    List<RenewRequest> batch = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      Grant grant = a.claimed(ResourceId.lock("r" + i), i);
      batch.add(new RenewRequest(ResourceId.lock("r" + i), grant.grant(), StoreProbe.LEASE_MILLIS));
    }
    server.resetStats();

    List<Outcome<RenewAnswer>> outcomes = StoreProbe.get(a.store.renew(batch));

    assertThat(outcomes).containsOnly(Outcome.answered(new RenewAnswer(true, false)));
    assertThat(counts())
        .isEqualTo(Map.of("evalsha", 3L, "time", 3L, "hmget", 250L, "pexpire", 250L, "hset", 250L));
  }

  @Test
  void hundredLooksAreOneCall() {
    List<PollRequest> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      a.claimed(ResourceId.lock("r" + i), i);
      b.queued(ResourceId.lock("r" + i), i);
      batch.add(new PollRequest(ResourceId.lock("r" + i), i));
    }
    server.resetStats();

    StoreProbe.get(b.store.poll(batch));

    assertThat(counts()).containsEntry("evalsha", 1L).doesNotContainKey("publish");
  }

  private static ClaimRequest block(long claim) {
    return new ClaimRequest(ResourceId.lock("r"), claim, StoreProbe.LEASE_MILLIS, 65, true);
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    for (Map.Entry<String, CommandStat> entry : server.commandStats().entrySet()) {
      counts.put(entry.getKey(), entry.getValue().calls());
    }
    counts.keySet().removeIf(name -> name.startsWith("config") || name.equals("info"));
    return counts;
  }
}
