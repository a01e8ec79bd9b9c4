package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.StoreFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter "Starting without the store". */
@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
public abstract class ConnectLaterTck extends TckBase {

  /** The failure of an attempt to connect, if it fails. */
  private final AtomicReference<@Nullable RuntimeException> failure =
      new AtomicReference<>(new StoreUnavailableException("down by the test's wish", null));

  private final AtomicInteger attempts = new AtomicInteger();

  /** Each attempt waits for this. */
  private volatile CompletableFuture<?> gate = CompletableFuture.completedFuture(null);

  private Lockkeeper later() {
    return later(builder -> builder);
  }

  private Lockkeeper later(UnaryOperator<LockkeeperBuilder> settings) {
    return settings
        .apply(Lockkeeper.builder().namespace(namespace()))
        .connectLater()
        .connect(factory());
  }

  private Lockkeeper atFirstUse() {
    return Lockkeeper.builder().namespace(namespace()).connectAtFirstUse().connect(factory());
  }

  private StoreFactory factory() {
    return StoreFactory.at(
        "the place of the test",
        context -> {
          attempts.incrementAndGet();
          gate.join();
          RuntimeException why = failure.get();
          if (why != null) {
            throw why;
          }
          return store().factory().open(context);
        });
  }

  private void awaitAttempts(int count) {
    int enough = attempts.get() + count;
    eventually().until(() -> attempts.get() >= enough);
  }

  @Test
  @Promise("CN1")
  void requestsThatWaitAreServedWhenTheStoreComes() throws InterruptedException {
    try (Lockkeeper keeper = later()) {
      DistributedLock lock = keeper.lock(NAME);
      Worker worker = worker();
      Future<Boolean> blocked = worker.begin(lock::lock);
      CompletableFuture<Lease> asked =
          keeper.fairLock("other").acquireAsync().toCompletableFuture();
      Worker counting = worker();
      Future<Long> counted = counting.start(() -> keeper.counter(NAME).incrementAndGet());
      awaitAttempts(2);
      assertThat(blocked).isNotDone();
      assertThat(asked).isNotDone();

      failure.set(null);

      Worker.get(blocked);
      worker.run(lock::unlock);
      Worker.get(asked).release();
      assertThat(Worker.get(counted)).isEqualTo(1);
      keeper.counter(NAME).delete();
      assertThat(lock.tryLock()).isTrue();
      assertThat(client().lock(NAME).tryLock()).isFalse();
      lock.unlock();
    }
  }

  @Test
  @Promise("CN2")
  void aWaitEndsByItsOwnLimitAndSaysWhatWasTried() {
    try (Lockkeeper keeper = later(builder -> builder.storeTimeout(Delays.millis(500)))) {
      awaitAttempts(2);
      DistributedLock lock = keeper.lock(NAME);

      assertThatThrownBy(lock::tryLock)
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("the place of the test")
          .cause()
          .hasMessageContaining("not connected after attempt")
          .hasMessageContaining("down by the test's wish");
      assertThatThrownBy(() -> lock.tryLock(Duration.ofMillis(20)))
          .isInstanceOf(StoreUnavailableException.class);
      assertThatThrownBy(lock::lock).isInstanceOf(StoreUnavailableException.class);
      assertThatThrownBy(keeper.admin()::inspect).isInstanceOf(StoreUnavailableException.class);
    }
  }

  @Test
  @Promise("CN2")
  void aRefusalIsToldAtOnceAndTriedAgain() {
    failure.set(new StoreRefusedException(StoreProblem.DENIED, "not you"));
    try (Lockkeeper keeper = later()) {
      awaitAttempts(2);
      DistributedLock lock = keeper.lock(NAME);

      assertThatThrownBy(lock::lock)
          .isInstanceOfSatisfying(
              StoreRefusedException.class,
              e -> assertThat(e.problem()).isEqualTo(StoreProblem.DENIED))
          .hasMessageContaining("not you");

      failure.set(null);
      ping(keeper);
      lock.lock();
      lock.unlock();
    }
  }

  private static void ping(Lockkeeper keeper) {
    eventually()
        .ignoreExceptions()
        .until(() -> !keeper.admin().ping(Delays.patience()).isNegative());
  }

  @Test
  @Promise("CN2")
  void whatCanBeSaidWithoutTheStoreIsSaidAtOnce() {
    LockkeeperBuilder builder = Lockkeeper.builder().connectLater();
    assertThatThrownBy(() -> builder.connect("no-such-store://host"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> builder.renewalInterval(Duration.ofHours(1)).connect(store().factory()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Promise("CN3")
  void aClientThatWasNeverConnectedClosesAtOnceAndLeavesNothing() {
    Lockkeeper keeper = later();
    CompletableFuture<Lease> asked = keeper.lock(NAME).acquireAsync().toCompletableFuture();
    Worker worker = worker();
    Future<Boolean> blocked = worker.begin(keeper.lock(NAME)::lock);
    worker.awaitParked();
    awaitAttempts(1);

    assertThat(
            duration(
                () -> {
                  keeper.close();
                  return true;
                }))
        .isLessThan(Delays.millis(4_000));

    assertThatThrownBy(() -> Worker.get(asked)).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(() -> Worker.get(blocked)).isInstanceOf(LockkeeperClosedException.class);
    eventually().untilAsserted(() -> assertThat(Threads.ofLibrary()).isEmpty());
    int before = attempts.get();
    pass(Duration.ofMillis(300));
    assertThat(attempts).hasValue(before);
  }

  @Test
  @Promise("CN5")
  void aClientThatIsNotUsedConnectsNowhere() {
    failure.set(null);
    try (Lockkeeper keeper = atFirstUse()) {
      DistributedLock lock = keeper.lock(NAME);
      pass(Duration.ofMillis(100));
      assertThat(attempts).hasValue(0);
      assertThat(Threads.ofLibrary()).noneMatch(name -> name.startsWith("lockkeeper-connect"));

      assertThat(lock.tryLock()).as("what asks once waits for the connection").isTrue();

      assertThat(attempts).hasValue(1);
      assertThat(client().lock(NAME).tryLock()).isFalse();
      lock.unlock();
    }
    atFirstUse().close();
    assertThat(attempts).hasValue(1);
  }

  @Test
  @Promise("CN5")
  void whatIsAskedBeforeTheFirstAttemptIsOverIsServedInItsOrder() throws InterruptedException {
    failure.set(null);
    CompletableFuture<?> attempt = new CompletableFuture<>();
    gate = attempt;
    try (Lockkeeper keeper = atFirstUse()) {
      List<CompletableFuture<Lease>> asked = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        asked.add(keeper.lock(NAME + i).acquireAsync().toCompletableFuture());
      }
      for (int i = 0; i < 20; i += 2) {
        assertThat(asked.get(i).cancel(true)).isTrue();
      }
      assertThat(asked.get(1)).isNotDone();

      attempt.complete(null);

      for (int i = 1; i < 20; i += 2) {
        Worker.get(asked.get(i)).release();
      }
      Lockkeeper other = client();
      for (int i = 0; i < 20; i++) {
        Optional<Lease> lease = other.lock(NAME + i).tryAcquire(Delays.patience());
        assertThat(lease).isPresent();
        lease.get().release();
      }
      assertThat(attempts).hasValue(1);
    }
  }

  @Test
  @Promise("CN5")
  void ifTheFirstAttemptFailsItGoesOnAsInTheBackground() throws InterruptedException {
    try (Lockkeeper keeper = atFirstUse()) {
      DistributedLock lock = keeper.lock(NAME);
      assertThatThrownBy(lock::tryLock)
          .isInstanceOf(StoreUnavailableException.class)
          .cause()
          .hasMessageContaining("not connected after attempt 1");
      Worker worker = worker();
      Future<Boolean> blocked = worker.begin(lock::lock);
      awaitAttempts(1);

      failure.set(null);

      Worker.get(blocked);
      worker.run(lock::unlock);
    }
  }

  @Test
  @Promise("CN4")
  void aPingSaysWhetherTheStoreAnswers() {
    Faults faults = faults();
    Lockkeeper connected = client(faults);
    assertThat(connected.admin().ping(Delays.patience())).isPositive();
    long before = faults.requests();
    connected.admin().ping(Delays.patience());
    assertThat(faults.requests()).as("one request").isEqualTo(before + 1);
    faults.silence();
    assertThatThrownBy(() -> connected.admin().ping(Duration.ofMillis(50)))
        .isInstanceOf(StoreUnavailableException.class);
    faults.heal();
    connected.close();
    assertThatThrownBy(() -> connected.admin().ping(Duration.ofSeconds(1)))
        .isInstanceOf(LockkeeperClosedException.class);

    try (Lockkeeper keeper = later()) {
      awaitAttempts(1);
      assertThatThrownBy(() -> keeper.admin().ping(Duration.ofSeconds(20)))
          .isInstanceOf(StoreUnavailableException.class);
      assertThatThrownBy(() -> keeper.admin().ping(Duration.ZERO))
          .isInstanceOf(IllegalArgumentException.class);
      failure.set(null);
      ping(keeper);
    }
  }

  @Test
  @Promise("CN4")
  void aListenerHearsWhenTheClientIsConnected() {
    Ear first = new Ear();
    Faults faults = faults();
    client(faults, builder -> builder.listener(first));
    eventually().until(() -> !first.heard.isEmpty());
    assertThat(first.heard.element()).isEqualTo(LockListener.Connection.CONNECTED);
    faults.refuse();
    faults.heal();
    eventually().until(() -> first.heard.contains(LockListener.Connection.RECONNECTED));

    Ear second = new Ear();
    try (Lockkeeper keeper = later(builder -> builder.listener(second))) {
      awaitAttempts(2);
      assertThat(second.heard).isEmpty();
      failure.set(null);
      ping(keeper);
      eventually().until(() -> !second.heard.isEmpty());
      assertThat(second.heard.element()).isEqualTo(LockListener.Connection.CONNECTED);
    }
  }

  /** Listens for the connection of one client. */
  private static final class Ear implements LockListener {

    private final ConcurrentLinkedQueue<Connection> heard = new ConcurrentLinkedQueue<>();

    @Override
    public void onEvent(LockEvent event) {}

    @Override
    public void onConnection(Connection change) {
      heard.add(change);
    }
  }
}
