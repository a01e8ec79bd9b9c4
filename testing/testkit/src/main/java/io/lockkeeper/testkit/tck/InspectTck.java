package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.CellReport;
import io.lockkeeper.ClientInfo;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HolderReport;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.PermitLease;
import io.lockkeeper.ResourceGlance;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceQuery;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.WaiterReport;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreDoctor;
import io.lockkeeper.spi.StoreProvider;
import io.lockkeeper.spi.Timings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Chapter "Inspection".
 *
 * <p>This file is long because a chapter has all tests of its promises.
 */
@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
public abstract class InspectTck extends TckBase {

  private static final ResourceId SEMAPHORE = new ResourceId(ResourceKind.SEMAPHORE, NAME);

  private Lockkeeper named(String name) {
    return client(builder -> builder.clientName(name));
  }

  @Test
  @Promise("IN9")
  void theNamespaceOfWhatIsHeldIsListedWhoeverAsks() throws Exception {
    Lease lease = client().lock(NAME).acquire();

    Lockkeeper elsewhere = client(builder -> builder.namespace("elsewhere-" + namespace()));

    assertThat(elsewhere.admin().namespaces()).contains(namespace());
    lease.release();
  }

  @Test
  @Promise("IN1")
  void aHolderIsShownWithClientHostProcessThreadTokenAndTimes() {
    Lockkeeper holder = named("billing 1");
    DistributedLock lock = holder.fairLock(NAME);
    lock.lock();

    ResourceReport report = client().admin().inspect(ResourceKind.LOCK, NAME);

    assertThat(report.limit()).hasValue(1);
    assertThat(report.waiters()).isEmpty();
    assertThat(report.holders()).hasSize(1);
    HolderReport seen = report.holders().get(0);
    assertThat(seen.client().id()).isEqualTo(holder.clientId());
    assertThat(seen.client().name()).isEqualTo("billing 1");
    assertThat(seen.client().host()).isNotEmpty();
    assertThat(seen.client().pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(seen.thread()).isEqualTo(Thread.currentThread().getName());
    assertThat(seen.token()).isEqualTo(lock.token());
    assertThat(seen.permits()).hasValue(1);
    assertThat(seen.held()).isBetween(Duration.ZERO, Delays.patience());
    assertThat(seen.leaseLeft()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
    lock.unlock();
  }

  @Test
  @Promise("IN1")
  void aThreadsNameIsCutAndItsControlCharactersAreReplaced() {
    DistributedLock lock = client().fairLock(NAME);
    Lockkeeper observer = client();
    Worker worker = worker();
    Worker.get(
        worker.start(
            () -> {
              Thread self = Thread.currentThread();
              String before = self.getName();
              self.setName("a\nb" + "\u00e4".repeat(100));
              lock.lock();
              self.setName(before);
              return true;
            }));

    String thread = observer.admin().inspect(ResourceKind.LOCK, NAME).holders().get(0).thread();

    assertThat(thread).isEqualTo("a?b" + "\u00e4".repeat(22));
    Worker.get(
        worker.start(
            () -> {
              lock.unlock();
              return true;
            }));
  }

  @Test
  @Promise({"IN1", "IN2"})
  void afterAHandOffNobodyIsNamedWhoDoesNotHold() {
    Lockkeeper shop = named("shop");
    DistributedLock lock = shop.lock(NAME);
    Worker first = worker();
    Worker second = worker();
    Worker third = worker();
    String holder = Worker.get(second.start(() -> Thread.currentThread().getName()));
    String waiter = Worker.get(third.start(() -> Thread.currentThread().getName()));
    first.run(lock::lock);
    Future<Boolean> passed = second.begin(lock::lock);
    second.awaitParked();
    Future<Boolean> waits = third.begin(lock::lock);
    third.awaitParked();
    assertThat(shop.admin().inspect(ResourceKind.LOCK, NAME).waiters())
        .extracting(WaiterReport::thread)
        .containsExactly(holder, waiter);

    first.run(lock::unlock);
    Worker.get(passed);

    ResourceReport own = shop.admin().inspect(ResourceKind.LOCK, NAME);
    assertThat(own.holders()).extracting(HolderReport::thread).containsExactly(holder);
    assertThat(own.waiters()).extracting(WaiterReport::thread).containsExactly(waiter);
    ResourceReport seen = client().admin().inspect(ResourceKind.LOCK, NAME);
    assertThat(seen.holders().get(0).client().name()).isEqualTo("shop");
    assertThat(seen.holders().get(0).thread()).isNull();
    second.run(lock::unlock);
    Worker.get(waits);
    third.run(lock::unlock);
  }

  @Test
  @Promise("IN1")
  void aLastingHolderIsNamedToEverybodyUntilItHandsOff() {
    Lockkeeper shop = client(builder -> builder.clientName("shop").lease(Duration.ofSeconds(3)));
    Lockkeeper observer = client();
    DistributedLock lock = shop.lock(NAME);
    Worker first = worker();
    Worker second = worker();
    first.run(lock::lock);
    awaitThread(observer, Worker.get(first.start(() -> Thread.currentThread().getName())));
    Future<Boolean> passed = second.begin(lock::lock);
    second.awaitParked();

    first.run(lock::unlock);
    Worker.get(passed);

    awaitThread(observer, null);
    awaitThread(observer, Worker.get(second.start(() -> Thread.currentThread().getName())));
    second.run(lock::unlock);
  }

  private void awaitThread(Lockkeeper observer, @Nullable String name) {
    Delays.eventually()
        .untilAsserted(
            () ->
                assertThat(
                        observer.admin().inspect(ResourceKind.LOCK, NAME).holders().get(0).thread())
                    .isEqualTo(name));
  }

  @Test
  @Promise("IN1")
  void allThatIsHeldOrWaitedForIsListed() {
    Lockkeeper one = named("one");
    Lockkeeper two = named("two");
    assertThat(one.admin().inspect()).isEmpty();
    one.lock("free").lock();
    one.lock("free").unlock();
    awaitFree("free");
    Lease lock = Worker.outcome(one.lock("{b} %").acquireAsync());
    DistributedReadWriteLock readWrite = two.readWriteLock("c");
    readWrite.readLock().lock();
    PermitLease permits = one.semaphore(NAME, 5).tryAcquire(2).orElseThrow();
    PermitLease more = two.semaphore(NAME, 5).tryAcquire().orElseThrow();
    CompletableFuture<Void> member = one.barrier("d", 2).awaitAsync().toCompletableFuture();
    awaitWaiting(new ResourceId(ResourceKind.BARRIER, "d"), 1);

    List<ResourceReport> all = two.admin().inspect();

    assertThat(all)
        .extracting(report -> report.kind().name() + " " + report.name())
        .containsExactly("READ_WRITE_LOCK c", "BARRIER d", "SEMAPHORE " + NAME, "LOCK {b} %");
    assertThat(all.get(1).waiters()).extracting(WaiterReport::position).containsExactly(1);
    assertThat(all.get(2).limit()).hasValue(5);
    assertThat(all.get(2).holders())
        .extracting(holder -> holder.permits().getAsInt())
        .containsExactly(2, 1);
    assertThat(all.get(2).holders())
        .extracting(HolderReport::client)
        .extracting(ClientInfo::name)
        .containsExactly("one", "two");
    assertThat(all.get(3).holders().get(0).thread()).isNull();

    Worker.outcome(two.barrier("d", 2).awaitAsync());
    Worker.get(member);
    permits.release();
    more.release();
    lock.release();
    readWrite.readLock().unlock();
    eventually().until(() -> two.admin().inspect().isEmpty());
  }

  @Test
  @Promise("IN7")
  void thoseWithAPrefixAreListedAndNoMoreThanTheLimit() {
    Lockkeeper keeper = named("one");
    for (int i = 0; i < 100; i++) {
      keeper.lock("order-" + i).lock();
    }
    for (int i = 0; i < 70; i++) {
      keeper.lock("order-" + i).unlock();
    }
    keeper.lock("orders").lock();
    keeper.lock("a").lock();
    awaitFree("order-69");

    assertThat(keeper.admin().inspect(ResourceQuery.prefix("order-").limit(1_000))).hasSize(30);
    assertThat(keeper.admin().inspect(ResourceQuery.prefix("order-").limit(7)))
        .hasSize(7)
        .extracting(ResourceReport::name)
        .isSorted()
        .allMatch(name -> name.startsWith("order-"));
    assertThat(keeper.admin().inspect(ResourceQuery.prefix("orders").limit(7))).hasSize(1);
    assertThat(keeper.admin().inspect(ResourceQuery.prefix("order-7").limit(70))).hasSize(10);
    assertThat(keeper.admin().inspect(ResourceQuery.prefix("z").limit(7))).isEmpty();
    assertThat(keeper.admin().inspect()).hasSize(32);
    ResourceQuery foreign = ResourceQuery.prefix("a\n").limit(1);
    assertThatIllegalArgumentException().isThrownBy(() -> keeper.admin().inspect(foreign));
    assertThatIllegalArgumentException().isThrownBy(() -> ResourceQuery.all().limit(0));
  }

  @Test
  @Promise("IN7")
  void whatIsInUseAllTheTimeIsInOneOfTheParts() {
    Lockkeeper keeper = named("one");
    for (int i = 0; i < 20; i++) {
      keeper.lock("part-" + i).lock();
    }
    keeper.readWriteLock("part-3").readLock().lock();
    keeper.lock("part-5").unlock();
    awaitFree("part-5");

    List<String> seen = new ArrayList<>();
    ResourceQuery query = ResourceQuery.parts(6);
    List<ResourceReport> part;
    do {
      part = keeper.admin().inspect(query);
      assertThat(part).hasSizeLessThanOrEqualTo(6);
      part.forEach(report -> seen.add(report.kind() + " " + report.name()));
      query = part.isEmpty() ? query : query.after(part.get(part.size() - 1));
      if (seen.size() == 6) {
        String gone = part.get(part.size() - 1).name(); // a place to go on from all the same
        keeper.lock(gone).unlock();
        awaitFree(gone);
      }
    } while (part.size() == 6);

    assertThat(seen).hasSize(20).doesNotHaveDuplicates();
    assertThat(keeper.admin().inspect(ResourceQuery.parts(100))).hasSize(19);
  }

  @Test
  @Promise("IN8")
  void reportsAreKeptUpToDateByGlances() {
    Lockkeeper keeper = named("one");
    Lockkeeper observer = client();
    if (observer.admin().glance(ResourceQuery.parts(100)).isEmpty()) {
      keeper.lock("kept").lock();
      assertThat(observer.admin().glance(ResourceQuery.parts(100))).isEmpty();
      return; // a glance would cost this store as much as a report
    }
    Lease kept = Worker.outcome(keeper.lock("kept").acquireAsync());
    Lease passed = Worker.outcome(keeper.fairLock("passed").acquireAsync());
    Lease over = Worker.outcome(keeper.lock("over").acquireAsync());
    PermitLease permit = keeper.semaphore("s", 3).tryAcquire().orElseThrow();
    Map<String, ResourceGlance> before = glances(observer);
    assertThat(before).containsOnlyKeys("kept", "passed", "over", "s");
    assertThat(observer.admin().inspect(before.values()))
        .extracting(report -> report.holders().get(0).token())
        .containsExactlyInAnyOrder(kept.token(), passed.token(), over.token(), permit.token());

    CompletableFuture<Lease> next =
        named("two").fairLock("passed").acquireAsync().toCompletableFuture();
    awaitWaiting("passed", 1);
    String waitedFor = of(glances(observer), "passed").stamp();
    passed.release();
    Lease got = Worker.get(next);
    over.release();
    awaitFree("over");
    PermitLease more = named("two").semaphore("s", 3).tryAcquire().orElseThrow();
    Lease begun = Worker.outcome(keeper.lock("begun").acquireAsync());
    Map<String, ResourceGlance> after = glances(observer);

    assertThat(after).containsOnlyKeys("kept", "passed", "s", "begun");
    assertThat(of(after, "kept").stamp()).isEqualTo(of(before, "kept").stamp());
    assertThat(of(after, "kept").leaseLeft())
        .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
    assertThat(waitedFor).isNotEqualTo(of(before, "passed").stamp());
    assertThat(of(after, "passed").stamp())
        .isNotEqualTo(of(before, "passed").stamp())
        .isNotEqualTo(waitedFor);
    assertThat(of(after, "s").stamp()).isNotEqualTo(of(before, "s").stamp());
    assertThat(observer.admin().inspect(before.values()))
        .extracting(ResourceReport::name)
        .containsExactlyInAnyOrder("kept", "passed", "s");

    List.of(kept, got, begun).forEach(Lease::release);
    permit.release();
    more.release();
    eventually().until(() -> glances(observer).isEmpty());
  }

  private static ResourceGlance of(Map<String, ResourceGlance> glances, String name) {
    return Objects.requireNonNull(glances.get(name), name);
  }

  private static Map<String, ResourceGlance> glances(Lockkeeper keeper) {
    return keeper.admin().glance(ResourceQuery.parts(100)).orElseThrow().stream()
        .collect(Collectors.toMap(ResourceGlance::name, glance -> glance));
  }

  @Test
  @Promise("IN7")
  void countersValuesAndLatchesAreListed() {
    Lockkeeper keeper = named("one");
    keeper.counter("n-1").addAndGet(42);
    keeper.sharedValue("n-2").set("123456".getBytes(StandardCharsets.UTF_8));
    keeper.countDownLatch("n-3").trySetCount(3);
    keeper.counter("n-4").addAndGet(1);
    keeper.counter("other").addAndGet(-7);
    keeper.counter("n-4").delete();
    keeper.lock("n-5").lock();

    assertThat(keeper.admin().cells(ResourceQuery.prefix("n-").limit(10)))
        .containsExactly(
            new CellReport(CellReport.Kind.COUNTER, "n-1", OptionalLong.of(42), 2),
            new CellReport(CellReport.Kind.SHARED_VALUE, "n-2", OptionalLong.empty(), 6),
            new CellReport(CellReport.Kind.LATCH, "n-3", OptionalLong.of(3), 1));
    assertThat(keeper.admin().cells(ResourceQuery.all().limit(100))).hasSize(4);
    assertThat(keeper.admin().cells(ResourceQuery.all().limit(2))).hasSize(2);
    assertThat(keeper.admin().cells(ResourceQuery.prefix("nobody's").limit(2))).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keeper.admin().cells(ResourceQuery.all().limit(0)));

    keeper.counter("n-1").delete();
    keeper.sharedValue("n-2").delete();
    keeper.countDownLatch("n-3").delete();
    keeper.counter("other").delete();
    assertThat(keeper.admin().cells(ResourceQuery.all().limit(100))).isEmpty();
  }

  @Test
  @Promise("IN1")
  void aLeaderIsShownUnderTheNameOfTheElection() {
    Lockkeeper keeper = named("leader");
    keeper.leaderElection(NAME).start(new Silent());
    Lockkeeper observer = client();
    eventually().until(() -> observer.leaderElection(NAME).leader().isPresent());

    List<ResourceReport> all = observer.admin().inspect();

    assertThat(all).hasSize(1);
    assertThat(all.get(0).kind()).isEqualTo(ResourceKind.LEADER_ELECTION);
    assertThat(all.get(0).name()).isEqualTo(NAME);
    assertThat(all.get(0).holders().get(0).client().name()).isEqualTo("leader");
    assertThat(observer.admin().inspect(ResourceKind.LEADER_ELECTION, NAME).holders()).hasSize(1);
  }

  private static final class Silent implements io.lockkeeper.LeaderListener {

    @Override
    public void elected(io.lockkeeper.Term term) {}

    @Override
    public void lost(io.lockkeeper.Term term) {}
  }

  @Test
  @Promise("IN2")
  void waitersAreShownInTheirOrder() {
    DistributedSemaphore semaphore = named("holder").semaphore(NAME, 3);
    PermitLease all = semaphore.tryAcquire(3).orElseThrow();
    DistributedSemaphore first = named("first").semaphore(NAME, 3);
    Worker worker = worker();
    String name = Worker.get(worker.start(() -> Thread.currentThread().getName()));
    Future<PermitLease> two = worker.start(() -> first.acquire(2));
    awaitWaiting(SEMAPHORE, 1);
    CompletableFuture<PermitLease> one =
        named("second").semaphore(NAME, 3).acquireAsync().toCompletableFuture();
    awaitWaiting(SEMAPHORE, 2);

    List<WaiterReport> waiters = client().admin().inspect(ResourceKind.SEMAPHORE, NAME).waiters();

    assertThat(waiters)
        .extracting(
            waiter -> waiter.position() + " " + waiter.client() + " " + waiter.permits().getAsInt())
        .containsExactly("1 first 2", "2 second 1");
    assertThat(waiters).extracting(WaiterReport::thread).containsExactly(name, null);
    assertThat(waiters.get(0).waited()).isGreaterThanOrEqualTo(waiters.get(1).waited());
    assertThat(waiters.get(1).waited()).isBetween(Duration.ZERO, Delays.patience());
    all.release();
    Worker.get(two).release();
    Worker.get(one).release();
  }

  @Test
  @Promise("IN2")
  void aWaiterThatIsLetInKeepsItsThread() {
    DistributedLock held = client().fairLock(NAME);
    held.lock();
    DistributedLock wanted = named("next").fairLock(NAME);
    Worker worker = worker();
    String name = Worker.get(worker.start(() -> Thread.currentThread().getName()));
    Future<Lease> next = worker.start(wanted::acquire);
    awaitWaiting(NAME, 1);
    Lockkeeper observer = client();
    assertThat(observer.admin().inspect(ResourceKind.LOCK, NAME).waiters())
        .extracting(WaiterReport::thread)
        .containsExactly(name);

    held.unlock();

    Lease lease = Worker.get(next);
    HolderReport seen = observer.admin().inspect(ResourceKind.LOCK, NAME).holders().get(0);
    assertThat(seen.thread()).isEqualTo(name);
    assertThat(seen.token()).isEqualTo(lease.token());
    lease.release();
  }

  @Test
  @Promise("IN3")
  void aDeadClientIsKnownByItsNameAsLongAsItsLeaseLasts() {
    Faults faults = faults();
    Lockkeeper dead = client(faults, builder -> builder.clientName("the late one"));
    dead.lock(NAME).tryLock();
    Lockkeeper operator = client();
    eventually().until(() -> holder(operator).client().name() != null); // it has introduced itself
    faults.kill();

    HolderReport seen = holder(operator);

    assertThat(seen.client().name()).isEqualTo("the late one");
    assertThat(operator.admin().forceRelease(seen)).isTrue();
  }

  private static HolderReport holder(Lockkeeper operator) {
    return operator.admin().inspect(ResourceKind.LOCK, NAME).holders().get(0);
  }

  @Test
  @Promise("IN4")
  void oneHolderIsForcedOutAndTheOthersStay() {
    DistributedSemaphore semaphore = named("one").semaphore(NAME, 2);
    PermitLease stays = semaphore.tryAcquire().orElseThrow();
    PermitLease goes = semaphore.tryAcquire().orElseThrow();
    CompletableFuture<PermitLease> next =
        named("two").semaphore(NAME, 2).acquireAsync().toCompletableFuture();
    awaitWaiting(SEMAPHORE, 1);
    Lockkeeper operator = client();
    HolderReport chosen =
        operator.admin().inspect(ResourceKind.SEMAPHORE, NAME).holders().stream()
            .filter(holder -> holder.token() == goes.token())
            .findFirst()
            .orElseThrow();

    assertThat(operator.admin().forceRelease(chosen)).isTrue();

    assertLost(goes, LeaseLost.Reason.NOT_AT_STORE);
    PermitLease letIn = Worker.get(next);
    assertThat(letIn.token()).isGreaterThan(goes.token());
    assertThat(stays.isValid()).isTrue();
    assertThat(operator.admin().forceRelease(chosen)).isFalse();
    letIn.release();
    stays.release();
  }

  @Test
  @Promise("IN4")
  void aLockIsTakenFromItsHolderAndANewHolderKeepsIt() {
    DistributedLock lock = client().fairLock(NAME);
    Lockkeeper operator = client();
    Lease first = Worker.outcome(lock.acquireAsync());
    HolderReport report = operator.admin().inspect(ResourceKind.LOCK, NAME).holders().get(0);

    assertThat(operator.admin().forceRelease(report)).isTrue();
    Worker.outcome(first.lost());
    Lease second = Worker.outcome(lock.acquireAsync());

    assertThat(operator.admin().forceRelease(report)).isFalse();
    assertThat(second.isValid()).isTrue();
    assertThat(operator.admin().inspect(ResourceKind.LOCK, NAME).holders()).hasSize(1);
    second.release();
  }

  @Test
  @Promise("IN4")
  void aForceWhoseAnswerIsLostSaysThatItForced() {
    Lease held = Worker.outcome(client().lock(NAME).acquireAsync());
    Faults faults = faults();
    Lockkeeper operator = client(faults);
    HolderReport report = operator.admin().inspect(ResourceKind.LOCK, NAME).holders().get(0);
    faults.loseRepliesToChanges(2);

    assertThat(operator.admin().forceRelease(report)).isTrue();

    assertThat(operator.admin().forceRelease(report)).isFalse();
    assertThat(held.lost()).succeedsWithin(Delays.patience());
  }

  @Test
  @Promise("IN4")
  void aClientCanForceItself() {
    Lockkeeper keeper = client();
    Lease lease = Worker.outcome(keeper.lock(NAME).acquireAsync());
    PermitLease permit = keeper.semaphore(NAME, 1).tryAcquire().orElseThrow();
    List<ResourceReport> seen = keeper.admin().inspect();
    assertThat(seen).hasSize(2);
    for (ResourceReport report : seen) {
      report.holders().forEach(holder -> assertThat(keeper.admin().forceRelease(holder)).isTrue());
    }
    assertThat(lease.lost()).as("forced: %s", seen).succeedsWithin(Delays.patience());
    assertThat(permit.lost()).as("forced: %s", seen).succeedsWithin(Delays.patience());
  }

  @Test
  @Promise("IN5")
  void badInputAndAClosedClientAreRefused() {
    Lockkeeper keeper = client();
    assertThatThrownBy(() -> keeper.admin().inspect(ResourceKind.LOCK, ""))
        .isInstanceOf(IllegalArgumentException.class);
    ResourceReport nothing = keeper.admin().inspect(ResourceKind.BARRIER, NAME);
    assertThat(nothing.isIdle()).isTrue();
    assertThat(nothing.name()).isEqualTo(NAME);
    keeper.close();
    assertThatThrownBy(keeper.admin()::inspect).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(() -> keeper.admin().inspect(ResourceKind.LOCK, NAME))
        .isInstanceOf(LockkeeperClosedException.class);
  }

  @Test
  @Promise("IN6")
  void aDoctorFindsNothingWrongWithAStoreThatKeepsItsPromises() {
    StoreDoctor doctor = doctor(store().url());

    List<Finding> findings = doctor.examine(contextOfADoctor());

    assertThat(findings).isNotEmpty();
    assertThat(findings).extracting(Finding::subject).doesNotHaveDuplicates();
    assertThat(findings).filteredOn(each -> each.verdict() == Finding.Verdict.FAIL).isEmpty();
    assertThat(findings).extracting(Finding::found).allMatch(found -> !found.isBlank());
  }

  @Test
  @Promise("IN6")
  void aDoctorSaysThatAStoreCannotBeReachedWithoutThePassword() {
    assumeTrue(store().unreachableUrl().isPresent(), "it has no server to be unreachable");
    StoreDoctor doctor = doctor(store().unreachableUrl().orElseThrow());

    assertThatThrownBy(() -> doctor.examine(contextOfADoctor()))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageNotContaining("s3cret");
  }

  private static StoreDoctor doctor(String url) {
    String scheme = url.substring(0, url.indexOf(':'));
    Optional<StoreDoctor> doctor =
        ServiceLoader.load(StoreProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.schemes().contains(scheme))
            .findFirst()
            .flatMap(provider -> provider.doctor(url));
    assumeTrue(doctor.isPresent(), "there is nothing to examine in this kind of store");
    return doctor.orElseThrow();
  }

  private StoreContext contextOfADoctor() {
    return new StoreContext(
        "doctor",
        "doctor",
        namespace(),
        new Timings(5_000, 1_000, 60_000),
        new Environment(System::nanoTime, Threads::scheduler, new Random(1)));
  }
}
