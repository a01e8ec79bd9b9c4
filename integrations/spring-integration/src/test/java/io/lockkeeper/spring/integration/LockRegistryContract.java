package io.lockkeeper.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockkeeper.Lease;
import io.lockkeeper.LockEvent;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.aggregator.AggregatingMessageHandler;
import org.springframework.integration.aggregator.DefaultAggregatingMessageGroupProcessor;
import org.springframework.integration.aggregator.MessageCountReleaseStrategy;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.context.IntegrationObjectSupport;
import org.springframework.integration.handler.AbstractReplyProducingMessageHandler;
import org.springframework.integration.handler.advice.LockRequestHandlerAdvice;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.PassThruLockRegistry;
import org.springframework.messaging.Message;

/** What Spring Integration expects of a registry, and what went wrong with others, on one store. */
@SuppressWarnings("LockNotBeforeTry") // what a failed test leaves locked ends with its client
abstract class LockRegistryContract {

  static final Duration LONG = Delays.millis(30_000);
  private static final Duration SHORT = Duration.ofMillis(100);

  /** So brief that a test can wait for it to pass. */
  private static final Duration LEASE = Duration.ofSeconds(2);

  private final AtomicInteger renewals = new AtomicInteger();
  private final String namespace = UUID.randomUUID().toString();
  private final Lockkeeper keeper =
      Lockkeeper.builder().namespace(namespace).lease(LEASE).listener(this::count).connect(url());
  private final Lockkeeper others = Lockkeeper.builder().namespace(namespace).connect(url());
  private final LockkeeperLockRegistry registry = new LockkeeperLockRegistry(keeper, "orders");
  private final LockkeeperLockRegistry elsewhere = new LockkeeperLockRegistry(others, "orders");

  /** Returns where the store is. */
  abstract String url();

  private void count(LockEvent event) {
    if (event instanceof LockEvent.Renewed) {
      renewals.incrementAndGet();
    }
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(LONG);
  }

  @AfterEach
  void close() {
    keeper.close();
    others.close();
  }

  private static boolean isFree(Lock lock) {
    return CompletableFuture.supplyAsync(
            () -> {
              boolean got = lock.tryLock();
              if (got) {
                lock.unlock();
              }
              return got;
            })
        .join();
  }

  @Test
  void oneKeyIsOneLockOfAllProcessesAndReentrant() throws InterruptedException {
    Lock lock = registry.obtain("a");
    lock.lock();
    assertThat(registry.obtain("a").tryLock(1, TimeUnit.SECONDS)).isTrue();
    registry.obtain("a").unlock();

    assertThat(isFree(elsewhere.obtain("a"))).isFalse();
    assertThat(isFree(elsewhere.obtain("b"))).isTrue();
    assertThat(isFree(new LockkeeperLockRegistry(others, "invoices").obtain("a"))).isTrue();

    lock.unlock();
    await().until(() -> isFree(elsewhere.obtain("a")));
  }

  @Test
  void theLockIsOneThatOtherCodeCanUse() {
    RegistryLock lock = registry.obtain(42);
    lock.lock();

    assertThat(lock.unwrap().token()).isPositive();
    assertThat(others.lock("orders:42").isLocked()).isTrue();
    lock.unlock();
  }

  @Test
  void workIsDoneUnderTheLock() throws InterruptedException, TimeoutException {
    registry.executeLocked("a", () -> assertThat(isFree(elsewhere.obtain("a"))).isFalse());
    await().until(() -> isFree(elsewhere.obtain("a")));
    CompletableFuture.runAsync(elsewhere.obtain("b")::lock).join();

    assertThatThrownBy(() -> registry.executeLocked("b", SHORT, () -> {}))
        .isInstanceOf(TimeoutException.class);
  }

  @Test
  void whoDoesNotHoldALockIsTold() {
    assertThatThrownBy(() -> registry.obtain("a").unlock())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("orders:a");
    assertThatThrownBy(() -> registry.renewLock("a")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whoHasLostALockIsTold() {
    Lock lock = registry.obtain("a");
    lock.lock();
    Lease lease = registry.obtain("a").unwrap().heldLease();
    assertThat(others.lock("orders:a").forceUnlock()).isTrue();
    await().until(() -> !lease.isValid());

    assertThatThrownBy(() -> registry.renewLock("a", LONG))
        .isInstanceOf(ConcurrentModificationException.class);
    assertThatThrownBy(lock::unlock)
        .isInstanceOf(ConcurrentModificationException.class)
        .hasMessageContaining("orders:a");
  }

  @Test
  void aTimeToLiveEndsALockAndOnlyThat() throws InterruptedException {
    RegistryLock brief = registry.obtain("brief");
    brief.lock(SHORT);
    registry.obtain("lasting").lock();
    assertThat(registry.obtain("tried").tryLock(Duration.ZERO, LONG)).isTrue();

    await().until(() -> isFree(elsewhere.obtain("brief")));

    assertThat(isFree(elsewhere.obtain("lasting"))).isFalse();
    assertThat(isFree(elsewhere.obtain("tried"))).isFalse();
    assertThatThrownBy(brief::unlock).isInstanceOf(ConcurrentModificationException.class);
  }

  @Test
  void aRenewalMovesTheEnd() {
    RegistryLock lock = registry.obtain("a");
    lock.lock(Duration.ofSeconds(5));
    registry.renewLock("a", LONG);
    assertThat(lock.unwrap().heldLease().remaining()).isGreaterThan(Duration.ofSeconds(5));
    registry.renewLock("a");
    assertThat(lock.unwrap().heldLease().remaining()).isGreaterThan(LONG);
    lock.unlock();
  }

  @Test
  void whatNobodyUsesIsNotThere() {
    for (int i = 0; i < 100_000; i++) {
      registry.obtain("key " + i);
    }
    registry.obtain("key 1").lock();
    registry.expireUnusedOlderThan(0);

    assertThat(isFree(elsewhere.obtain("key 1"))).as("a lock that is held is kept").isFalse();
    assertThat(keeper.admin().inspect()).hasSize(1);
    registry.obtain("key 1").unlock();
  }

  @Test
  void aFairRegistryGivesFairLocks() {
    LockkeeperLockRegistry fair = LockkeeperLockRegistry.fair(keeper, "orders");
    fair.obtain("a").lock();

    assertThat(isFree(elsewhere.obtain("a"))).as("it is the same lock").isFalse();
    assertThat(fair.obtain("a")).hasToString(keeper.fairLock("orders:a").toString());
    fair.obtain("a").unlock();
  }

  @Test
  void thereAreNoConditions() {
    assertThatThrownBy(() -> registry.obtain("a").newCondition())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void anotherCandidateLeadsWhenTheLeaderStops() {
    LockRegistryLeaderInitiator one = initiator(registry);
    LockRegistryLeaderInitiator two = initiator(elsewhere);
    try {
      one.start();
      await().until(() -> one.getContext().isLeader());
      two.start();

      one.stop();

      await().until(() -> two.getContext().isLeader());
      assertThat(one.getContext().isLeader()).isFalse();
    } finally {
      one.stop();
      two.stop();
    }
  }

  @Test
  void aLeaderWhoseLockIsTakenAwayNoticesAndLeadsAgain() {
    LockRegistryLeaderInitiator one = initiator(registry);
    try {
      one.start();
      await().until(() -> one.getContext().isLeader());

      assertThat(others.lock("orders:role").forceUnlock()).isTrue();

      await().until(() -> others.lock("orders:role").isLocked() && one.getContext().isLeader());
    } finally {
      one.stop();
    }
  }

  private static LockRegistryLeaderInitiator initiator(LockRegistry<?> locks) {
    LockRegistryLeaderInitiator initiator =
        new LockRegistryLeaderInitiator(locks, new DefaultCandidate("candidate", "role"));
    initiator.setHeartBeatMillis(50);
    initiator.setBusyWaitMillis(20);
    initiator.setApplicationEventPublisher(event -> {});
    return initiator;
  }

  // ------------------------------------------------------------- what went wrong with others

  private int waiters() {
    return others.admin().inspect(ResourceKind.LOCK, "orders:a").waiters().size();
  }

  /** Begins to wait for a lock that others hold, interrupts that, and returns what came of it. */
  private Throwable interrupted(Waiting waiting) throws InterruptedException {
    Lock held = elsewhere.obtain("a");
    held.lock();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread waiter =
        thread(() -> thrown.set(catchThrowable(() -> waiting.on(registry.obtain("a")))));
    await().until(() -> waiters() == 1);

    waiter.interrupt();
    waiter.join();

    await().until(() -> waiters() == 0);
    held.unlock();
    assertThat(isFree(elsewhere.obtain("b"))).isTrue();
    await().until(() -> isFree(elsewhere.obtain("a")));
    return thrown.get();
  }

  private interface Waiting {
    void on(Lock lock) throws Exception;
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "test");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Test
  void anInterruptEndsATimedWaitAsOneOfTheJdk() throws InterruptedException {
    assertThat(interrupted(lock -> lock.tryLock(1, TimeUnit.HOURS)))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void anInterruptEndsAWaitThatCanBeInterrupted() throws InterruptedException {
    assertThat(interrupted(Lock::lockInterruptibly)).isInstanceOf(InterruptedException.class);

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> registry.obtain("a").lockInterruptibly())
        .isInstanceOf(InterruptedException.class);
    assertThat(isFree(elsewhere.obtain("a"))).isTrue();
  }

  @Test
  void anInterruptedThreadUnlocksAndStaysInterrupted() {
    Lock lock = registry.obtain("a");
    lock.lock();
    Thread.currentThread().interrupt();

    lock.unlock();

    assertThat(Thread.interrupted()).isTrue();
    await().until(() -> isFree(elsewhere.obtain("a")));
  }

  @Test
  void anotherThreadThanTheHolderUnlocksNothing() throws InterruptedException {
    Lock lock = registry.obtain("a");
    lock.lock();
    AtomicReference<Throwable> thrown = new AtomicReference<>();

    thread(() -> thrown.set(catchThrowable(lock::unlock))).join();

    assertThat(thrown.get()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(elsewhere.obtain("a")::unlock).isInstanceOf(IllegalStateException.class);
    assertThat(isFree(elsewhere.obtain("a"))).isFalse();
    assertThat(isFree(registry.obtain("a"))).as("for another thread").isFalse();
    lock.unlock();
  }

  @Test
  void noRenewalOutlivesTheLastUnlock() {
    Lock lock = registry.obtain("a");
    for (int i = 0; i < 50; i++) {
      lock.lock();
      lock.lock();
      lock.unlock();
      lock.unlock();
    }
    lock.lock();
    await().until(() -> renewals.get() > 0);
    lock.unlock();
    await().until(() -> isFree(elsewhere.obtain("a")));

    int before = renewals.get();
    await().during(LEASE).until(() -> renewals.get() <= before + 1);
  }

  @Test
  void aLockWithoutATimeToLiveIsHeldForLongerThanItsLease() {
    Lock lock = registry.obtain("a");
    lock.lock();
    await().during(LEASE.multipliedBy(2)).until(() -> !isFree(elsewhere.obtain("a")));
    lock.unlock();
  }

  @Test
  void anotherThreadOfTheProcessGetsALockWhoseTimeIsOver() throws InterruptedException {
    RegistryLock lock = registry.obtain("a");
    lock.lock(SHORT);
    CountDownLatch goOn = new CountDownLatch(1);
    CompletableFuture<Boolean> next = new CompletableFuture<>();
    Thread other =
        thread(
            () -> {
              next.complete(locksWithin(LONG));
              awaitUninterruptibly(goOn);
            });

    assertThat(next.join()).isTrue();
    assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
    assertThat(isFree(elsewhere.obtain("a"))).as("the other's").isFalse();
    goOn.countDown();
    other.join();
  }

  private boolean locksWithin(Duration wait) {
    try {
      return registry.obtain("a").tryLock(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aThreadThatDiesHoldingKeepsItsLockFromNobodyForLong() throws InterruptedException {
    thread(registry.obtain("a")::lock).join();
    assertThat(locksWithin(LONG)).as("in the same process").isTrue();
    registry.obtain("a").unlock();

    thread(registry.obtain("a")::lock).join();
    assertThat(elsewhere.obtain("a").tryLock(1, TimeUnit.HOURS))
        .as("in another one, long before its wait is over")
        .isTrue();
    elsewhere.obtain("a").unlock();
  }

  @Test
  void aKeyThatNoNameCanHaveIsALockToo() {
    String ends = "x".repeat(600);
    List<Object> keys =
        List.of(ends + "1", ends + "2", "two\nlines", "two\tlines", "half \uD83D", "half \uD83E");
    for (Object key : keys) {
      assertThat(elsewhere.obtain(key).tryLock()).as("%s", key).isTrue();
    }
    for (Object key : keys) {
      assertThat(isFree(registry.obtain(key))).as("%s", key).isFalse();
    }
    assertThat(elsewhere.obtain(ends + "1")).hasToString(registry.obtain(ends + "1").toString());
    assertThat(keeper.admin().inspect()).hasSize(keys.size());
    keys.forEach(key -> elsewhere.obtain(key).unlock());
  }

  /** More keys than others have local locks for, which some keys then share. */
  @Test
  void eachOfManyKeysHasALockOfItsOwn() {
    int keys = 300;
    for (int i = 0; i < keys; i++) {
      assertThat(elsewhere.obtain("mine " + i).tryLock()).isTrue();
    }
    CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < keys; i++) {
                assertThat(elsewhere.obtain("theirs " + i).tryLock()).isTrue();
                elsewhere.obtain("theirs " + i).unlock();
              }
            })
        .orTimeout(LONG.toMillis(), TimeUnit.MILLISECONDS)
        .join();

    for (int i = 0; i < keys; i += 2) {
      elsewhere.obtain("mine " + i).unlock();
    }

    await()
        .untilAsserted(
            () ->
                assertThat(keeper.admin().inspect())
                    .filteredOn(report -> !report.holders().isEmpty())
                    .extracting(ResourceReport::name)
                    .hasSize(keys / 2)
                    .contains("orders:mine 1", "orders:mine " + (keys - 1))
                    .doesNotContain("orders:mine 0"));
    for (int i = 1; i < keys; i += 2) {
      elsewhere.obtain("mine " + i).unlock();
    }
  }

  // ------------------------------------------------------------- used by Spring Integration

  @Configuration(proxyBeanMethods = false)
  @EnableIntegration
  static class Application {}

  private static <T extends IntegrationObjectSupport> T initialized(
      T handler, ApplicationContext application) {
    handler.setBeanFactory(application);
    handler.setApplicationContext(application);
    handler.afterPropertiesSet();
    return handler;
  }

  private AggregatingMessageHandler aggregator(
      LockRegistry<?> locks,
      SimpleMessageStore messages,
      QueueChannel out,
      int size,
      ApplicationContext application) {
    AggregatingMessageHandler aggregator =
        new AggregatingMessageHandler(
            new DefaultAggregatingMessageGroupProcessor(),
            messages,
            message -> message.getHeaders().get("order"),
            new MessageCountReleaseStrategy(size));
    aggregator.setLockRegistry(locks);
    aggregator.setOutputChannel(out);
    aggregator.setExpireGroupsUponCompletion(true);
    return initialized(aggregator, application);
  }

  @Test
  void aggregatorsOfTwoProcessesReleaseEachGroupOnce() throws Exception {
    try (AnnotationConfigApplicationContext application =
        new AnnotationConfigApplicationContext(Application.class)) {
      int groups = 5;
      int size = 8;
      SimpleMessageStore messages = new SimpleMessageStore();
      messages.setLockRegistry(new PassThruLockRegistry());
      QueueChannel out = new QueueChannel();
      List<AggregatingMessageHandler> aggregators =
          List.of(
              aggregator(registry, messages, out, size, application),
              aggregator(elsewhere, messages, out, size, application));

      List<Thread> senders = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        int part = i;
        senders.add(
            thread(
                () -> {
                  for (int order = 0; order < groups; order++) {
                    aggregators
                        .get(part % 2)
                        .handleMessage(
                            MessageBuilder.withPayload(part).setHeader("order", order).build());
                  }
                }));
      }
      for (Thread sender : senders) {
        sender.join();
      }

      assertThat(out.getQueueSize()).isEqualTo(groups);
      for (int i = 0; i < groups; i++) {
        assertThat((List<?>) out.receive(0).getPayload()).hasSize(size);
      }
      assertThat(messages.getMessageGroupCount()).isZero();
    }
  }

  /** Handles what must not be handled by two at once. */
  private static final class Alone extends AbstractReplyProducingMessageHandler {

    private final AtomicInteger inside;
    private final AtomicInteger handled;

    Alone(AtomicInteger inside, AtomicInteger handled) {
      this.inside = inside;
      this.handled = handled;
    }

    @Override
    protected @Nullable Object handleRequestMessage(Message<?> request) {
      assertThat(inside.incrementAndGet()).isEqualTo(1);
      LockSupport.parkNanos(1_000_000);
      inside.decrementAndGet();
      handled.incrementAndGet();
      return null;
    }
  }

  @Test
  void handlersOfTwoProcessesUnderTheAdviceHandleOneMessageOfAKeyAtATime() throws Exception {
    try (AnnotationConfigApplicationContext application =
        new AnnotationConfigApplicationContext(Application.class)) {
      AtomicInteger inside = new AtomicInteger();
      AtomicInteger handled = new AtomicInteger();
      List<Thread> senders = new ArrayList<>();
      for (LockRegistry<?> locks : List.of(registry, elsewhere)) {
        Alone handler = new Alone(inside, handled);
        LockRequestHandlerAdvice advice =
            new LockRequestHandlerAdvice(
                locks, (Message<?> message) -> message.getHeaders().get("order"));
        initialized(advice, application);
        handler.setAdviceChain(List.of(advice));
        initialized(handler, application);
        for (int i = 0; i < 4; i++) {
          senders.add(
              thread(
                  () -> {
                    for (int message = 0; message < 5; message++) {
                      handler.handleMessage(
                          MessageBuilder.withPayload(message).setHeader("order", 42).build());
                    }
                  }));
        }
      }
      for (Thread sender : senders) {
        sender.join();
      }
      assertThat(handled).hasValue(40);
    }
  }
}
