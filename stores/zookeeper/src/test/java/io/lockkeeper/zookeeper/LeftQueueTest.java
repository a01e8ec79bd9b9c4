package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A claim that has left the queue, and that the record of the lock still names as the next. Its own
 * client releases the lock by what it remembers of the record, and tells its own threads of grants
 * without writing to their nodes: it must not take the one that left for the next holder.
 */
class LeftQueueTest {

  private static final ZooKeeperServer SERVER = SharedServer.running();
  private static final ResourceId LOCK = ResourceId.lock("n");

  private final String namespace = "left-" + UUID.randomUUID();

  @Test
  void whoHasLeftIsNotAdmittedByAThreadOfItsOwnClient() throws Exception {
    try (Store before = open("before");
        Store mine = open("mine");
        Store next = open("next")) {
      claim(before, 1, 60_000);
      claim(mine, 2, 60_000);
      claim(mine, 3, 30_000); // with another lease: not granted together with the one before
      claim(next, 4, 60_000);
      String left = nodeOf("mine", 3);
      release(before, 1); // it has read the queue, and the record names who comes next
      answer(mine.renew(List.of(new RenewRequest(LOCK, 2, 60_000))));

      RawTree.of(SERVER).delete(left);
      release(mine, 2);

      await().atMost(Delays.patience()).until(() -> "next 4".equals(holder(mine)));
      assertThat(holder(next)).isEqualTo("next 4");
    }
  }

  /** Returns the node of a claim that waits. */
  private String nodeOf(String client, long claim) {
    return RawTree.of(SERVER).below("/lockkeeper/" + namespace).stream()
        .filter(path -> path.contains("/q!" + Nodes.encode(client + "/" + claim) + "!"))
        .findFirst()
        .orElseThrow();
  }

  private static String holder(Store store) throws Exception {
    Outcome<Inspection> outcome = answer(store.inspect(LOCK));
    Inspection.Holder holder = ((Outcome.Answered<Inspection>) outcome).answer().holder();
    return holder == null ? "nobody" : holder.clientId() + " " + holder.grant();
  }

  private static void claim(Store store, long claim, long leaseMillis) throws Exception {
    Outcome<ClaimAnswer> answer =
        answer(store.claim(new ClaimRequest(LOCK, claim, leaseMillis, 1, true)));
    assertThat(answer).isInstanceOf(Outcome.Answered.class);
  }

  private static void release(Store store, long claim) throws Exception {
    answer(store.release(new ReleaseRequest(LOCK, claim, ReleaseRequest.UNKNOWN, null)));
  }

  private static <T> T answer(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private Store open(String id) {
    Environment environment = new Environment(System::nanoTime, Threads::scheduler, new Random(1));
    return new ZooKeeperStoreProvider()
        .factory(SERVER.url() + "?connectTimeout=20s")
        .open(new StoreContext(id, id, namespace, new Timings(5_000, 60_000, 60_000), environment));
  }
}
