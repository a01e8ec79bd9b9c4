package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A node that is deleted and made anew between two requests of a client. Its version begins again,
 * so the new one may have the version of the old; and nothing that the client has read of the one
 * may be taken for the other's.
 */
class RemadeNodeTest {

  private static final ZooKeeperServer SERVER = SharedServer.running();

  private final String namespace = "remade-" + UUID.randomUUID();
  private final RequestGate gate = new RequestGate(SERVER);
  private final List<Lockkeeper> opened = new ArrayList<>();
  private final Lockkeeper first = client(SERVER.url());
  private final Lockkeeper second = client(SERVER.url());
  private final Lockkeeper late = client(gate.url());

  private Lockkeeper client(String url) {
    Lockkeeper client =
        Lockkeeper.builder().namespace(namespace).connect(url + "?connectTimeout=20s&timeout=60s");
    opened.add(client);
    return client;
  }

  @AfterEach
  void close() {
    gate.close();
    opened.forEach(Lockkeeper::close);
  }

  @FunctionalInterface
  private interface Trying {
    Optional<? extends Lease> with(Lockkeeper client) throws InterruptedException;
  }

  @Test
  void givesNoWriteLockToTwo() throws Exception {
    oneAtATime(
        keeper -> keeper.readWriteLock("n").writeLock().tryAcquire(Duration.ZERO),
        "read-write-lock");
  }

  @Test
  void givesNoPermitToTwo() throws Exception {
    oneAtATime(keeper -> keeper.semaphore("n", 1).tryAcquire(Duration.ZERO), "semaphore");
  }

  private void oneAtATime(Trying way, String kind) throws Exception {
    Lease before = way.with(first).orElseThrow();
    RequestGate.Stop list = gate.stop("/r:" + kind + ":n", OpCode.getChildren, OpCode.getChildren2);
    CompletableFuture<Optional<? extends Lease>> tried = tryLate(way);
    list.awaitHeld();

    isNotShared(before, way, tried, list, kind);
  }

  /** Has another take what is released while the late client has read the one and not the other. */
  private void isNotShared(
      Lease before,
      Trying way,
      CompletableFuture<Optional<? extends Lease>> tried,
      RequestGate.Stop list,
      String kind)
      throws Exception {
    release(before, kind);
    Lease after = way.with(second).orElseThrow();
    list.go();

    assertThat(tried.join()).isEmpty();
    assertThat(after.isValid()).isTrue();
    after.release();
  }

  private CompletableFuture<Optional<? extends Lease>> tryLate(Trying way) {
    CompletableFuture<Optional<? extends Lease>> tried = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                tried.complete(way.with(late));
              } catch (InterruptedException | RuntimeException e) {
                tried.completeExceptionally(e);
              }
            })
        .start();
    return tried;
  }

  private void release(Lease lease, String kind) {
    lease.release();
    RawTree tree = RawTree.of(SERVER);
    String node = "/lockkeeper/" + namespace + "/r:" + kind + ":n";
    await().atMost(Delays.patience()).until(() -> tree.below(node).isEmpty());
  }

  @Test
  void keepsTheLimitThatWasSetMeanwhile() {
    DistributedSemaphore semaphore = first.semaphore("n", 1);
    semaphore.setPermits(5);
    RequestGate.Stop list = gate.stop("/r:semaphore:n", OpCode.getChildren, OpCode.getChildren2);
    CompletableFuture<Optional<? extends Lease>> tried =
        tryLate(keeper -> keeper.semaphore("n", 1).tryAcquire(Duration.ZERO));
    list.awaitHeld();
    RequestGate.Stop writing = gate.stop("/r:semaphore:n", OpCode.multi);
    list.go();
    writing.awaitHeld(); // it has read that there are five, and nobody holds any
    semaphore.setPermits(7);
    writing.go();

    assertThat(tried.join()).isPresent();
    assertThat(first.admin().inspect(ResourceKind.SEMAPHORE, "n").limit()).hasValue(7);
    tried.join().ifPresent(Lease::release);
    semaphore.resetPermits();
  }
}
