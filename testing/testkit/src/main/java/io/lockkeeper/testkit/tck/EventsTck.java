package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.LeaderListener;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Chapter "Events". */
public abstract class EventsTck extends TckBase {

  private final ConcurrentLinkedQueue<LockEvent> events = new ConcurrentLinkedQueue<>();

  private Lockkeeper observed() {
    return client(builder -> builder.listener(events::add));
  }

  private <E extends LockEvent> E await(Class<E> type) {
    eventually().until(() -> events.stream().anyMatch(type::isInstance));
    return events.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }

  @Test
  @Promise("V1")
  void anAcquisitionAndItsReleaseAreReportedInOrder() {
    DistributedLock lock = observed().lock(NAME);
    lock.lock();
    long token = lock.token();
    lock.lock();
    lock.unlock();
    lock.unlock();

    await(LockEvent.Released.class);

    assertThat(events).hasSize(2);
    assertThat(events.poll())
        .isInstanceOfSatisfying(
            LockEvent.Acquired.class,
            acquired -> {
              assertThat(acquired.name()).isEqualTo(NAME);
              assertThat(acquired.token()).isEqualTo(token);
              assertThat(acquired.waited()).isGreaterThanOrEqualTo(Duration.ZERO);
            });
    assertThat(events.poll())
        .isInstanceOfSatisfying(
            LockEvent.Released.class, released -> assertThat(released.token()).isEqualTo(token));
  }

  /** One name, a resource of each kind. */
  @Test
  @Promise("V3")
  void eventsLeasesAndLossesSayOfWhichKindTheResourceIs() {
    Lockkeeper keeper = observed();
    List<Lease> leases =
        List.of(
            Worker.outcome(keeper.lock(NAME).acquireAsync()),
            Worker.outcome(keeper.readWriteLock(NAME).writeLock().acquireAsync()),
            Worker.outcome(keeper.semaphore(NAME, 2).acquireAsync()));
    assertThat(leases)
        .extracting(Lease::kind)
        .containsExactly(ResourceKind.LOCK, ResourceKind.READ_WRITE_LOCK, ResourceKind.SEMAPHORE);

    Set<ResourceKind> told = EnumSet.noneOf(ResourceKind.class);
    eventually()
        .until(
            () -> {
              events.forEach(event -> told.add(event.kind()));
              return told.size() == 3;
            });
    assertThat(events).extracting(LockEvent::name).containsOnly(NAME);

    List<CompletableFuture<LeaseLost>> losses =
        leases.stream().map(lease -> lease.lost().toCompletableFuture()).toList();
    keeper.close();
    assertThat(losses)
        .extracting(loss -> Worker.get(loss).kind())
        .containsExactly(ResourceKind.LOCK, ResourceKind.READ_WRITE_LOCK, ResourceKind.SEMAPHORE);
  }

  @Test
  @Promise("V3")
  void theEventsOfAnElectionAreThoseOfAnElectionOfItsName() {
    Lockkeeper keeper = observed();
    Term term = elected(keeper);

    LockEvent.Acquired acquired = await(LockEvent.Acquired.class);
    keeper
        .admin()
        .inspect(ResourceKind.LEADER_ELECTION, NAME)
        .holders()
        .forEach(keeper.admin()::forceRelease);
    LockEvent.Lost lost = await(LockEvent.Lost.class);

    assertThat(acquired.kind()).isEqualTo(ResourceKind.LEADER_ELECTION);
    assertThat(acquired.name()).isEqualTo(NAME);
    assertThat(lost.kind()).isEqualTo(ResourceKind.LEADER_ELECTION);
    assertThat(lost.name()).isEqualTo(NAME);
    assertThat(lost.token()).isEqualTo(term.token());
  }

  private static Term elected(Lockkeeper keeper) {
    CompletableFuture<Term> elected = new CompletableFuture<>();
    keeper
        .leaderElection(NAME)
        .start(
            new LeaderListener() {
              @Override
              public void elected(Term term) {
                elected.complete(term);
              }

              @Override
              public void lost(Term term) {}
            });
    return Worker.get(elected);
  }

  @Test
  @Promise("V1")
  void aWaitIsReportedWithItsLength() {
    DistributedLock held = client().lock(NAME);
    DistributedLock lock = observed().fairLock(NAME);
    held.lock();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(lock::lock);
    awaitWaiting(NAME, 1);
    pass(Delays.millis(30));
    held.unlock();
    Worker.get(got);

    assertThat(await(LockEvent.Waited.class).name()).isEqualTo(NAME);
    LockEvent.Acquired acquired = await(LockEvent.Acquired.class);
    assertThat(acquired.waited()).isGreaterThanOrEqualTo(Delays.millis(30));
    assertThat(acquired.arrival()).isPresent();
    waiter.run(lock::unlock);
  }

  @Test
  @Promise("V1")
  void aLocalHandOverIsReported() {
    DistributedLock lock = observed().lock(NAME);
    lock.lock();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(lock::lock);
    waiter.awaitParked();
    lock.unlock();
    Worker.get(got);

    LockEvent.HandedOver handedOver = await(LockEvent.HandedOver.class);

    assertThat(handedOver.token()).isEqualTo(waiter.call(lock::token));
    waiter.run(lock::unlock);
  }

  @Test
  @Promise("V1")
  void aRenewalIsReported() throws InterruptedException {
    Lockkeeper keeper = client(builder -> builder.lease(KEPT).listener(events::add));
    Lease lease = keeper.lock(NAME).acquire();

    LockEvent.Renewed renewed = await(LockEvent.Renewed.class);

    assertThat(renewed.token()).isEqualTo(lease.token());
    assertThat(renewed.remaining()).isPositive().isLessThan(KEPT);
    lease.release();
  }

  @Test
  @Promise("V1")
  void aLossIsReported() {
    DistributedLock lock = observed().lock(NAME);
    lock.lock(fixed(BRIEF));
    long token = lock.token();

    LockEvent.Lost lost = await(LockEvent.Lost.class);

    assertThat(lost)
        .isEqualTo(new LockEvent.Lost(ResourceKind.LOCK, NAME, token, Reason.FIXED_LEASE_ENDED));
  }

  @Test
  @Promise("V1")
  void aRequestThatWasGivenUpIsReported() throws InterruptedException {
    DistributedLock held = client().lock(NAME);
    held.lock();
    DistributedLock lock = observed().lock(NAME);

    assertThat(lock.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(lock.tryLock()).isFalse();

    eventually()
        .until(() -> events.stream().filter(LockEvent.Abandoned.class::isInstance).count() == 2);
    assertThat(await(LockEvent.Abandoned.class).waited())
        .isGreaterThanOrEqualTo(Duration.ofMillis(20));
    held.unlock();
  }

  @Test
  @Promise("V1")
  void eventsComeOneAtATimeAndEachReleaseAfterItsAcquisition() {
    AtomicInteger inside = new AtomicInteger();
    List<String> problems = new ArrayList<>();
    List<Long> open = new ArrayList<>();
    Lockkeeper keeper =
        client(
            builder ->
                builder.listener(
                    event -> {
                      if (inside.incrementAndGet() != 1) {
                        problems.add("two at a time");
                      }
                      check(event, open, problems);
                      inside.decrementAndGet();
                    }));

    together(
        4,
        i -> {
          DistributedLock lock = keeper.lock(NAME);
          for (int round = 0; round < 100; round++) {
            lock.lock();
            lock.unlock();
          }
        });
    keeper.close();

    assertThat(problems).isEmpty();
  }

  private static void check(LockEvent event, List<Long> open, List<String> problems) {
    if (event instanceof LockEvent.Acquired acquired) {
      open.add(acquired.token());
      if (open.size() > 1) {
        problems.add("acquired while held: " + open);
      }
    } else if (event instanceof LockEvent.Released released && !open.remove(released.token())) {
      problems.add("released and not held: " + released);
    }
  }

  @Test
  @Promise("V2")
  void aListenerThatThrowsDoesNoHarm() {
    Lockkeeper keeper =
        client(
            builder ->
                builder
                    .listener(
                        event -> {
                          throw new IllegalStateException("by the test's wish");
                        })
                    .listener(events::add));
    DistributedLock lock = keeper.lock(NAME);
    for (int i = 0; i < 3; i++) {
      lock.lock();
      lock.unlock();
    }

    eventually().until(() -> events.size() == 6);
  }

  @Test
  @Promise("V2")
  void anErrorInAListenerDoesNotStopTheEvents() {
    AtomicInteger heard = new AtomicInteger();
    Lockkeeper keeper =
        client(
            builder ->
                builder.listener(
                    event -> {
                      if (heard.incrementAndGet() == 1) {
                        throw new AssertionError("by the test's wish");
                      }
                    }));
    DistributedLock lock = keeper.lock(NAME);
    for (int i = 0; i < 3; i++) {
      lock.lock();
      lock.unlock();
    }

    eventually().until(() -> heard.get() == 6);
  }

  @Test
  @Promise("V2")
  void aSlowListenerDoesNotDelayTheLocks() {
    CountDownLatch let = new CountDownLatch(1);
    LockListener slow =
        event -> {
          try {
            let.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    DistributedLock lock =
        client(builder -> builder.listener(slow).listener(events::add)).lock(NAME);

    for (int i = 0; i < 100; i++) {
      lock.lock();
      lock.unlock();
    }

    assertThat(events).isEmpty();
    let.countDown();
    eventually().until(() -> events.size() == 200);
  }

  @Test
  @Promise("V2")
  void aListenerMayCallBack() {
    CompletableFuture<Lockkeeper> keeper = new CompletableFuture<>();
    CompletableFuture<Boolean> called = new CompletableFuture<>();
    LockListener calling =
        event -> {
          if (event.name().equals(NAME) && event instanceof LockEvent.Acquired) {
            DistributedLock other = keeper.join().lock("from the listener");
            other.lock();
            other.unlock();
            called.complete(keeper.join().lock(NAME).isLocked());
          }
        };
    keeper.complete(client(builder -> builder.listener(calling)));
    DistributedLock lock = keeper.join().lock(NAME);

    lock.lock();

    assertThat(Worker.get(called)).isTrue();
    lock.unlock();
  }
}
