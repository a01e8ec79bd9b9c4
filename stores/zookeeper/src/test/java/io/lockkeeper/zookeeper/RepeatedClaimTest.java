package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.junit.jupiter.api.Test;

/** A claim that is sent again while it is not known what has become of it. */
class RepeatedClaimTest {

  private static final ZooKeeperServer SERVER = SharedServer.running();
  private static final ResourceId BARRIER = new ResourceId(ResourceKind.BARRIER, "n");
  private static final ResourceId LOCK = ResourceId.lock("n");

  private final String namespace = "repeated-" + UUID.randomUUID();

  /** Twice in the queue, it would be counted as two members. */
  @Test
  void waitsInOnePlaceAlsoIfItsNodeIsMadeLate() throws Exception {
    RawTree tree = RawTree.of(SERVER);
    String node = "/lockkeeper/" + namespace + "/r:barrier:n";
    try (RequestGate gate = new RequestGate(SERVER);
        Store other = patient("other");
        Store late = open("late", gate.url() + "?connectTimeout=20s&timeout=1s")) {
      assertThat(claimed(other.claim(request()).toCompletableFuture())).isTrue();
      RequestGate.Stop making = gate.stop("/r:barrier:n/q!late", OpCode.multi);
      CompletableFuture<Outcome<ClaimAnswer>> first = late.claim(request()).toCompletableFuture();
      making.awaitHeld();
      CompletableFuture<Outcome<ClaimAnswer>> again = late.claim(request()).toCompletableFuture();
      first.join();
      making.go();
      again.join();

      await()
          .atMost(Delays.patience())
          .until(() -> claimed(late.claim(request()).toCompletableFuture()));
      assertThat(tree.below(node)).filteredOn(path -> path.contains("/q!")).hasSize(2);
    }
  }

  /** The server that is asked may be behind the one that has put it, and would not show it. */
  @Test
  void isLookedForAtAServerThatHasCaughtUp() throws Exception {
    try (RequestGate gate = new RequestGate(SERVER);
        Store other = patient("other");
        Store late = open("late", gate.url() + "?connectTimeout=20s&timeout=20s")) {
      assertThat(claimed(other.claim(request()).toCompletableFuture())).isTrue();
      RequestGate.Stop making = gate.stop("/r:barrier:n/q!late", OpCode.multi);
      CompletableFuture<Outcome<ClaimAnswer>> lost = late.claim(request()).toCompletableFuture();
      making.awaitHeld();
      gate.cut();
      making.go();
      assertThat(claimed(lost)).isFalse();

      RequestGate.Stop reading = gate.stop("/r:barrier:n", OpCode.getChildren2);
      RequestGate.Stop catchingUp = gate.stop("/r:barrier:n", OpCode.multi);
      CompletableFuture<Outcome<ClaimAnswer>> again = late.claim(request()).toCompletableFuture();
      catchingUp.awaitHeld();
      catchingUp.go();
      reading.awaitHeld();
      reading.go();
      again.join();
    }
  }

  /** A claim is first come, first served by its place; events and the board of waits tell it. */
  @Test
  void hasItsPlaceAlsoIfTheAnswerThatHadItWasLost() throws Exception {
    RawTree tree = RawTree.of(SERVER);
    String node = "/lockkeeper/" + namespace + "/r:lock:n";
    try (RequestGate gate = new RequestGate(SERVER);
        Store holder = patient("holder");
        Store before = patient("before");
        Store behind = patient("behind");
        Store late = open("late", gate.url() + "?connectTimeout=20s&timeout=1s")) {
      assertThat(answer(holder)).isInstanceOf(ClaimAnswer.Granted.class);
      long first = ((Queued) answer(before)).arrival();
      RequestGate.Stop making = gate.stop("/r:lock:n/q!late", OpCode.multi);
      CompletableFuture<Outcome<ClaimAnswer>> lost = late.claim(lock()).toCompletableFuture();
      making.awaitHeld();
      assertThat(claimed(lost)).isFalse();
      making.go();
      await()
          .atMost(Delays.patience())
          .until(() -> tree.below(node).stream().anyMatch(path -> path.contains("q!late")));
      long last = ((Queued) answer(behind)).arrival();

      await()
          .atMost(Delays.patience())
          .until(() -> claimed(late.claim(lock()).toCompletableFuture()));
      long found = ((Queued) answer(late)).arrival();
      assertThat(found).isBetween(first + 1, last - 1);
    }
  }

  private static ClaimAnswer answer(Store store) {
    Outcome<ClaimAnswer> outcome = store.claim(lock()).toCompletableFuture().join();
    return ((Outcome.Answered<ClaimAnswer>) outcome).answer();
  }

  private static ClaimRequest lock() {
    return new ClaimRequest(LOCK, 1, 60_000, 1, true, Share.EXCLUSIVE, "");
  }

  private static boolean claimed(CompletableFuture<Outcome<ClaimAnswer>> asked) {
    return asked.join() instanceof Outcome.Answered<ClaimAnswer>;
  }

  private Store patient(String id) {
    return open(id, SERVER.url() + "?connectTimeout=20s&timeout=60s");
  }

  private Store open(String id, String url) {
    Environment environment = new Environment(System::nanoTime, Threads::scheduler, new Random(1));
    return new ZooKeeperStoreProvider()
        .factory(url)
        .open(new StoreContext(id, id, namespace, Timings.DEFAULT, environment));
  }

  private static ClaimRequest request() {
    return new ClaimRequest(BARRIER, 1, 60_000, 1, true, new Share(1, 3, false), "");
  }
}
