package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
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

/** What becomes of locks when the servers take their client's session for over. */
@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
class SessionTest {

  private final List<Lockkeeper> opened = new CopyOnWriteArrayList<>();
  private final String namespace = "session-" + UUID.randomUUID();
  private final MortalStores stores =
      new MortalStores(SharedServer.running().url() + "?connectTimeout=20s&sessionTimeout=2s");

  /** Their sessions are as long as servers allow by default, and enough for the default lease. */
  private final MortalStores lasting =
      new MortalStores(SharedServer.running().url() + "?connectTimeout=20s&sessionTimeout=40s");

  @AfterEach
  void close() {
    opened.forEach(Lockkeeper::close);
  }

  private Lockkeeper client(AtomicReference<Store> store, Duration lease) {
    return client(stores, store, lease);
  }

  private Lockkeeper lasting(AtomicReference<Store> store) {
    return client(lasting, store, Duration.ofSeconds(30));
  }

  private Lockkeeper client(MortalStores mortal, AtomicReference<Store> store, Duration lease) {
    Lockkeeper client =
        Lockkeeper.builder()
            .namespace(namespace)
            .lease(lease)
            .connect(
                context -> {
                  Store made = mortal.open(context);
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
    Lease lease = held.heldLease();
    Thread waiter =
        new Thread(
            () -> {
              next.lock();
              heldWhenNextCame.complete(lease.isValid());
              next.unlock();
            });
    waiter.start();

    stores.cutOff(door.get());
    await()
        .pollInSameThread()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !held.isHeldByCurrentThread());

    assertThat(heldWhenNextCame.get(60, TimeUnit.SECONDS)).isFalse();
    assertThatThrownBy(held::lock).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(held::unlock).isInstanceOf(LeaseLostException.class);
    waiter.join();
  }

  @Test
  void whoComesAfterADeadHoldersSessionHasEndedGetsItsLockAtOnce() throws Exception {
    AtomicReference<Store> door = new AtomicReference<>();
    Lockkeeper dead = lasting(door);
    Lockkeeper other = lasting(new AtomicReference<>());
    dead.lock("n").lock();
    dead.readWriteLock("rw").writeLock().lock();
    dead.readWriteLock("r").readLock().lock();
    dead.semaphore("s", 2).acquire(2);

    lasting.die(door.get());

    assertThat(other.lock("n").tryLock()).isTrue();
    assertThat(other.readWriteLock("rw").readLock().tryLock()).isTrue();
    assertThat(other.readWriteLock("r").writeLock().tryLock()).isTrue();
    assertThat(other.semaphore("s", 2).tryAcquire(2)).isPresent();
  }

  @Test
  void whoWaitsGetsADeadHoldersLockWhenItsSessionHasEnded() throws Exception {
    AtomicReference<Store> door = new AtomicReference<>();
    Lockkeeper dead = lasting(door);
    DistributedLock waiting = lasting(new AtomicReference<>()).lock("n");
    dead.lock("n").lock();
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

    long begun = System.nanoTime();
    lasting.die(door.get());

    assertThat(got.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(12));
    waiter.join();
  }

  /** Its record is never absent: its next session takes it over before the old one has ended. */
  @Test
  void whoComesBackInAnotherSessionKeepsItsLock() throws Exception {
    AtomicReference<Store> door = new AtomicReference<>();
    DistributedLock held = lasting(door).lock("n");
    DistributedLock other = lasting(new AtomicReference<>()).lock("n");
    held.lock();
    long token = held.token();

    lasting.vanish(door.get());

    assertThat(other.tryLock(Duration.ofSeconds(5))).isFalse();
    assertThat(held.token()).isEqualTo(token);
    held.unlock();
    assertThat(other.tryLock(Duration.ofSeconds(60))).isTrue();
    other.unlock();
  }

  @Test
  void whoseLeaseMayOutlastItsSessionKeepsItsLock() throws Exception {
    AtomicReference<Store> door = new AtomicReference<>();
    DistributedLock held = client(door, Duration.ofSeconds(30)).lock("n");
    DistributedLock other = client(new AtomicReference<>(), Duration.ofSeconds(30)).lock("n");
    held.lock();
    long token = held.token();

    stores.die(door.get());

    assertThat(other.tryLock(Duration.ofSeconds(1))).isFalse();
    assertThat(held.token()).isEqualTo(token);
    held.unlock();
    assertThat(other.tryLock(Duration.ofSeconds(60))).isTrue();
    other.unlock();
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
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> tree().stream().anyMatch(node -> node.endsWith("/m:late")));
    stores.die(dead); // its session ends, and nobody releases

    ClientInfo seen =
        client(new AtomicReference<>(), Duration.ofSeconds(30))
            .admin()
            .inspect(ResourceKind.LOCK, "n")
            .holders()
            .get(0)
            .client();

    assertThat(seen).isEqualTo(late);
  }

  /** Returns the nodes of the namespace that do not go with a session. */
  private List<String> tree() {
    RawTree tree = RawTree.of(SharedServer.running());
    return tree.below(new Nodes("/lockkeeper").namespace(namespace)).stream()
        .filter(node -> !tree.isEphemeral(node))
        .toList();
  }

  @Test
  void foldersMayGoAtAnyTime() {
    DistributedLock lock = client(new AtomicReference<>(), Duration.ofSeconds(30)).lock("n");
    for (int i = 0; i < 20; i++) {
      RawTree.of(SharedServer.running()).deleteAll(new Nodes("/lockkeeper").namespace(namespace));
      lock.lock();
      lock.unlock();
    }
  }
}
