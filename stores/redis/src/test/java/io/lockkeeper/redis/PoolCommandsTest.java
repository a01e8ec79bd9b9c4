package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.servers.CommandStat;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What operations on shared resources cost at the server, counted there. */
@ParameterizedClass
@MethodSource("binaries")
@Tag("full")
class PoolCommandsTest {

  private static final ResourceId READ_WRITE = new ResourceId(ResourceKind.READ_WRITE_LOCK, "r");
  private static final ResourceId SEMAPHORE = new ResourceId(ResourceKind.SEMAPHORE, "r");
  private static final Share READER = new Share(1, Share.ALL, false);
  private static final Share EAGER = new Share(1, Share.ALL, true);
  private static final Share WRITER = new Share(Share.ALL, Share.ALL, false);
  private static final int RELEASES = 100;

  /** Longer than a release takes on a busy machine, and shorter than a scan of all readers. */
  private static final double GENEROUS_MICROS = 2_000;

  private final RedisServer server;
  private StoreProbe a;
  private StoreProbe b;

  PoolCommandsTest(RedisBinary binary) {
    server = RedisServer.builder().binary(binary).start();
  }

  static List<RedisBinary> binaries() {
    return Binaries.all();
  }

  @BeforeEach
  void connect() {
    String url = server.url() + "?timeout=20s"; // thousands of requests are sent at once
    a = Probes.open(url);
    b = Probes.open(url);
  }

  @AfterEach
  void disconnect() {
    a.close();
    b.close();
    server.close();
  }

  /** What {@link #RELEASES} releases cost. */
  private record Cost(Map<String, Long> calls, double microsPerScript) {}

  @Test
  void aReleaseCostsTheSameWith5000ReadersAsWith5() {
    readers(1, 5 + RELEASES, READER);
    Cost few = release(6, 5 + RELEASES);
    readers(1_000, 5_999 + RELEASES - 5, READER);
    assertThat(server.command("ZCARD", "test:{r}:rw:e")).isEqualTo(5_000L + RELEASES - 1);
    Cost many = release(1_000, 999 + RELEASES);

    System.out.println("with 5 readers " + few + ", with 5000 " + many);
    assertThat(many.calls()).isEqualTo(few.calls());
    assertThat(sum(few.calls())).isLessThanOrEqualTo(8 * RELEASES);
    assertThat(many.microsPerScript()).isLessThan(GENEROUS_MICROS);
  }

  @Test
  void aReleaseCostsTheSameWhenAWriterWaits() {
    readers(1, 5 + RELEASES, READER);
    writerAndReaderWait();
    Cost few = release(6, 5 + RELEASES);
    readers(1_000, 5_999 + RELEASES - 5, EAGER);
    writerAndReaderWait(); // on a busy machine their heartbeat is over
    Cost many = release(1_000, 999 + RELEASES);

    System.out.println("with 5 readers " + few + ", with 5000 " + many);
    assertThat(many.calls()).isEqualTo(few.calls());
    assertThat(sum(few.calls())).isLessThanOrEqualTo(11 * RELEASES);
    assertThat(many.microsPerScript()).isLessThan(GENEROUS_MICROS);
  }

  private void writerAndReaderWait() {
    b.queued(READ_WRITE, 1, WRITER);
    b.queued(READ_WRITE, 2, READER);
  }

  @Test
  void aReleaseCostsTheSameHoweverManyWaitBehindTheFirst() {
    a.claimed(SEMAPHORE, 1, new Share(3, 10, false));
    for (int i = 2; i <= 8; i++) {
      a.claimed(SEMAPHORE, i, new Share(1, 10, false));
    }
    b.queued(SEMAPHORE, 1, new Share(10, 10, false));
    b.queued(SEMAPHORE, 2, new Share(1, 10, false));
    Map<String, Long> few = releasePermit(2);
    for (int i = 3; i <= 1_000; i++) {
      b.queued(SEMAPHORE, i, new Share(1, 10, false));
    }

    assertThat(releasePermit(3)).isEqualTo(few);
  }

  private Map<String, Long> releasePermit(long grant) {
    server.resetStats();
    assertThat(answer(a.store.release(new ReleaseRequest(SEMAPHORE, grant, 0, null))).released())
        .isTrue();
    return counts();
  }

  @Test
  void claimAndReleaseAreFewCommands() {
    a.claimed(SEMAPHORE, 1, new Share(1, 3, false));
    server.resetStats();

    a.claimed(SEMAPHORE, 2, new Share(1, 3, false));
    answer(a.store.release(new ReleaseRequest(SEMAPHORE, 2, 0, null)));

    assertThat(counts()).containsEntry("evalsha", 2L).doesNotContainKey("publish");
    assertThat(sum(counts())).isLessThanOrEqualTo(17);
  }

  @Test
  void thousandsOfReadersThatEnterTogetherCostFewCommandsAndMessages() {
    a.claimed(READ_WRITE, 1, WRITER);
    List<CompletionStage<Outcome<ClaimAnswer>>> waiting = new ArrayList<>();
    for (int i = 1; i <= 5_000; i++) {
      waiting.add(b.store.claim(StoreProbe.request(READ_WRITE, i, READER)));
    }
    waiting.forEach(StoreProbe::get);
    server.resetStats();

    answer(a.store.release(new ReleaseRequest(READ_WRITE, 1, 0, null)));

    System.out.println(
        "5000 readers enter in "
            + server.commandStats().get("evalsha").micros()
            + " microseconds, "
            + counts());
    assertThat(counts()).containsEntry("publish", 50L);
    assertThat(sum(counts())).isLessThan(600);
    for (int i = 1; i <= 5_000; i++) {
      assertThat(b.notification()).isEqualTo("granted " + READ_WRITE + " [" + i + "]");
    }
  }

  @Test
  void aHundredRenewalsOrLooksAreOneCall() {
    readers(1, 250, READER);
    List<RenewRequest> renewals = new ArrayList<>();
    List<PollRequest> polls = new ArrayList<>();
    for (int i = 1; i <= 250; i++) {
      renewals.add(new RenewRequest(READ_WRITE, i, StoreProbe.LEASE_MILLIS));
      polls.add(new PollRequest(READ_WRITE, i));
    }
    server.resetStats();

    List<Outcome<RenewAnswer>> renewed = StoreProbe.get(a.store.renew(renewals));
    StoreProbe.get(a.store.poll(polls));

    assertThat(renewed).containsOnly(Outcome.answered(new RenewAnswer(true, false)));
    assertThat(counts()).containsEntry("evalsha", 6L);
  }

  private void readers(int from, int to, Share share) {
    List<CompletionStage<Outcome<ClaimAnswer>>> claims = new ArrayList<>();
    for (int i = from; i <= to; i++) {
      claims.add(a.store.claim(StoreProbe.request(READ_WRITE, i, share)));
    }
    claims.forEach(claim -> StoreProbe.granted(StoreProbe.get(claim)));
  }

  private Cost release(int from, int to) {
    server.resetStats();
    List<CompletionStage<Outcome<ReleaseAnswer>>> releases = new ArrayList<>();
    for (int i = from; i <= to; i++) {
      releases.add(a.store.release(new ReleaseRequest(READ_WRITE, i, 0, null)));
    }
    releases.forEach(release -> assertThat(answer(release).released()).isTrue());
    return new Cost(counts(), server.commandStats().get("evalsha").microsPerCall());
  }

  private static <T> T answer(CompletionStage<Outcome<T>> stage) {
    return StoreProbe.answer(StoreProbe.get(stage));
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
