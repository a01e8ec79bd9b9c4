package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of locks when the servers take their client's session for over. */
@Timeout(120)
@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
class SessionTest {

  private final List<Lockkeeper> opened = new CopyOnWriteArrayList<>();
  private final String namespace = "session-" + UUID.randomUUID();
  private final MortalStores stores =
      new MortalStores(SharedServer.running().url() + "?connectTimeout=20s&sessionTimeout=2s");

  @AfterEach
  void close() {
    opened.forEach(Lockkeeper::close);
  }

  private Lockkeeper client(AtomicReference<Store> store, Duration lease) {
    Lockkeeper client =
        Lockkeeper.builder()
            .namespace(namespace)
            .lease(lease)
            .connect(
                context -> {
                  Store made = stores.open(context);
                  store.set(made);
                  return made;
                });
    opened.add(client);
    return client;
  }

  @Test
  void whoseSessionEndsHearsItBeforeAnotherHasTheLock() throws Exception {
    AtomicReference<Store> door = new AtomicReference<>();
    DistributedLock held = client(door, Duration.ofSeconds(1)).lock("n");
    DistributedLock next = client(new AtomicReference<>(), Duration.ofSeconds(1)).lock("n");
    CompletableFuture<Boolean> heldWhenNextCame = new CompletableFuture<>();
    held.lock();
    Thread waiter =
        new Thread(
            () -> {
              next.lock();
              heldWhenNextCame.complete(held.isLocked() && isStillHeld.get());
              next.unlock();
            });
    isStillHeld.set(true);
    waiter.start();

    stores.vanish(door.get());
    await()
        .pollInSameThread()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !held.isHeldByCurrentThread());
    isStillHeld.set(false);

    assertThat(heldWhenNextCame.get(60, TimeUnit.SECONDS)).isFalse();
    assertThatThrownBy(held::lock).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(held::unlock).isInstanceOf(LeaseLostException.class);
    held.lock();
    held.unlock();
    waiter.join();
  }

  private final AtomicReference<Boolean> isStillHeld = new AtomicReference<>(false);

  @Test
  void aNewSessionDoesNotTakeTheNodesOfTheOldOneForItsOwn() {
    AtomicReference<Store> door = new AtomicReference<>();
    DistributedLock held = client(door, Duration.ofSeconds(30)).lock("n");
    DistributedLock other = client(new AtomicReference<>(), Duration.ofSeconds(30)).lock("n");
    held.lock();

    stores.vanish(door.get());

    await()
        .pollInSameThread()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !held.isHeldByCurrentThread());
    assertThatThrownBy(held::unlock).isInstanceOf(LeaseLostException.class);
    assertThat(other.tryLock()).isFalse(); // the lease may still be believed in by its holder
  }

  @Test
  void aWaiterWhoseSessionEndsWaitsOnInItsNextOne() throws Exception {
    AtomicReference<Store> door = new AtomicReference<>();
    DistributedLock held = client(new AtomicReference<>(), Duration.ofSeconds(30)).lock("n");
    DistributedLock waiting = client(door, Duration.ofSeconds(30)).lock("n");
    held.lock();
    CompletableFuture<Boolean> got = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              waiting.lock();
              waiting.unlock();
              got.complete(true);
            });
    waiter.start();
    await().atMost(Duration.ofSeconds(60)).until(() -> waiter.getState() != Thread.State.RUNNABLE);

    stores.vanish(door.get());
    held.unlock();

    assertThat(got.get(60, TimeUnit.SECONDS)).isTrue();
    waiter.join();
  }

  @Test
  void aDeadClientWhoseLeaseOutlastsItsSessionIsKnownByItsName() throws Exception {
    Environment environment = new Environment(System::nanoTime, Threads::scheduler, new Random(1));
    ClientInfo late = new ClientInfo("late", "the late one", "its host", 4711L);
    Store dead =
        stores.open(
            new StoreContext(late, namespace, new Timings(5_000, 1_000, 60_000), environment));
    dead.claim(new ClaimRequest(ResourceId.lock("n"), 1, 600_000, 1, false))
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS);
    dead.close(); // its session and its node end, and nobody releases

    ClientInfo seen =
        client(new AtomicReference<>(), Duration.ofSeconds(30))
            .admin()
            .inspect(ResourceKind.LOCK, "n")
            .holders()
            .get(0)
            .client();

    assertThat(seen).isEqualTo(late);
  }

  @Test
  void foldersMayGoAtAnyTime() {
    DistributedLock lock = client(new AtomicReference<>(), Duration.ofSeconds(30)).lock("n");
    for (int i = 0; i < 20; i++) {
      RawTree.of(SharedServer.running()).deleteAll("/lockkeeper/" + Paths.encode(namespace));
      lock.lock();
      lock.unlock();
    }
  }
}
