package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.HeldLease;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MultiLease;
import io.lockkeeper.PermitLease;
import io.lockkeeper.integration.LockInterruptedException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.AliasFor;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

class LockedTest {

  private static final String URL = "memory:locked-test";

  private final Lockkeeper other = Lockkeeper.connect(URL);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    context.close();
    other.close();
    threads.shutdownNow();
  }

  private <T> T start(Class<T> bean, Class<?>... more) {
    context.register(Base.class, bean);
    for (Class<?> each : more) {
      context.register(each);
    }
    context.refresh();
    return context.getBean(bean);
  }

  private boolean isTaken(String name) {
    return other.lock(name).isLocked();
  }

  @Configuration
  @EnableLocks(proxyTargetClass = true)
  static class Base {

    final LinkedBlockingQueue<LeaseLostEvent> losses = new LinkedBlockingQueue<>();

    @Bean
    Lockkeeper keeper() {
      return Lockkeeper.builder().lease(Duration.ofSeconds(3)).connect(URL);
    }

    @EventListener
    void lost(LeaseLostEvent event) {
      losses.add(event);
    }
  }

  // ------------------------------------------------------------- what is locked

  @Retention(RetentionPolicy.RUNTIME)
  @Locked(name = "stock", waitTime = "0")
  @interface StockLocked {

    @AliasFor(annotation = Locked.class, attribute = "key")
    String[] value();
  }

  interface Contract {

    @Locked("contract")
    <T> T asPromised(Supplier<T> work);
  }

  static class Methods implements Contract {

    @Locked(name = "stock", key = "#sku")
    public <T> T one(String sku, Supplier<T> work) {
      return work.get();
    }

    @Locked(
        name = "stock",
        key = {"#p0", "#p1"})
    public <T> T two(String first, String second, Supplier<T> work) {
      return work.get();
    }

    @Locked(name = "stock", key = "#skus")
    public <T> T all(List<String> skus, Supplier<T> work) {
      return work.get();
    }

    @Locked
    public <T> T unnamed(Supplier<T> work) {
      return work.get();
    }

    @StockLocked("#sku")
    public <T> T meta(String sku, Supplier<T> work) {
      return work.get();
    }

    @Locked(name = "b")
    @Locked(name = "a", mode = LockMode.READ)
    public <T> T both(Supplier<T> work) {
      return work.get();
    }

    @Locked(name = "${lockkeeper.test.name:given}", condition = "#when")
    public <T> T sometimes(boolean when, Supplier<T> work) {
      return work.get();
    }

    @Locked(name = "bean", key = "@names.of(#root.methodName, #root.args[0])")
    public <T> T byBean(Supplier<T> work) {
      return work.get();
    }

    @Override
    public <T> T asPromised(Supplier<T> work) {
      return work.get();
    }
  }

  static class Names {

    public String of(String method, Object argument) {
      return method;
    }
  }

  @Configuration
  static class NamesBean {

    @Bean
    Names names() {
      return new Names();
    }
  }

  @Test
  void aMethodRunsWithItsLockHeldAndNoLonger() {
    Methods bean = start(Methods.class, NamesBean.class);
    assertThat(bean.one("1", () -> List.of(isTaken("stock:1"), isTaken("stock:2"))))
        .containsExactly(true, false);
    assertThat(bean.two("1", "2", () -> List.of(isTaken("stock:1"), isTaken("stock:2"))))
        .containsExactly(true, true);
    assertThat(bean.all(List.of("7", "8"), () -> List.of(isTaken("stock:7"), isTaken("stock:8"))))
        .containsExactly(true, true);
    assertThat(bean.unnamed(() -> isTaken("LockedTest.Methods.unnamed"))).isTrue();
    assertThat(bean.meta("1", () -> isTaken("stock:1"))).isTrue();
    assertThat(
            bean.both(
                () ->
                    List.of(
                        isTaken("b"),
                        other.readWriteLock("a").readLock().isLocked(),
                        other.lock("a").isLocked())))
        .containsExactly(true, true, false);
    assertThat(bean.sometimes(true, () -> isTaken("given"))).isTrue();
    assertThat(bean.sometimes(false, () -> isTaken("given"))).isFalse();
    assertThat(bean.byBean(() -> isTaken("bean:byBean"))).isTrue();
    assertThat(bean.asPromised(() -> isTaken("contract"))).isTrue();
    for (String name : List.of("stock:1", "stock:2", "stock:7", "b", "given", "contract")) {
      assertThat(other.lock(name).tryLock()).as(name).isTrue();
      other.lock(name).unlock();
    }
  }

  /** What is counted by its number. */
  public static class Numbered {

    private final String number;

    Numbered(String number) {
      this.number = number;
    }

    public String getNumber() {
      return number;
    }
  }

  /** What is counted by its number too, and has nothing else in common with the other. */
  public record Article(String number) {

    public String getNumber() {
      return number;
    }
  }

  static class Expressions {

    @Locked(name = "numbered", key = "#thing.number", condition = "#thing.number != 'free'")
    public <T> T with(Object thing, Supplier<T> work) {
      return work.get();
    }
  }

  /** After a hundred calls Spring compiles an expression for the types that it has met. */
  @Test
  void anExpressionThatIsUsedOftenStaysTheSame() {
    Expressions bean = start(Expressions.class);
    for (int i = 0; i < 1_000; i++) {
      String number = i % 10 == 9 ? "free" : "n" + i % 3;
      boolean isLast = i >= 600 && i % 2 == 0;
      Object thing = isLast ? new Article(number) : new Numbered(number);

      assertThat(bean.with(thing, () -> isTaken("numbered:" + number)))
          .as("call %d", i)
          .isEqualTo(!number.equals("free"));
    }
    assertThatThrownBy(() -> bean.with(new Numbered(null), () -> 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is null");
    assertThatThrownBy(() -> bean.with("text", () -> 1))
        .isInstanceOf(SpelEvaluationException.class);
    assertThat(bean.with(new Article("n1"), () -> isTaken("numbered:n1"))).isTrue();
  }

  @Test
  void aKeyThatIsNullOrHasNothingFailsTheCall() {
    Methods bean = start(Methods.class);
    assertThatThrownBy(() -> bean.one(null, () -> 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'#sku'")
        .hasMessageContaining("is null");
    assertThatThrownBy(() -> bean.all(List.of(), () -> 1)).hasMessageContaining("no element");
  }

  @Test
  void aThreadReEntersItsOwnLock() {
    Methods bean = start(Methods.class);
    assertThat(bean.one("1", () -> bean.meta("1", () -> bean.one("1", () -> isTaken("stock:1")))))
        .isTrue();
    assertThat(other.lock("stock:1").tryLock()).isTrue();
  }

  /** What runs inside has its own lock, and gives back nothing but that. */
  @Test
  void nestedLocksDoNotReleaseEachOther() {
    Methods bean = start(Methods.class);

    List<Boolean> taken =
        bean.one(
            "1",
            () -> {
              boolean both = bean.one("2", () -> isTaken("stock:1") && isTaken("stock:2"));
              boolean outer = isTaken("stock:1");
              boolean inner = isTaken("stock:2");
              bean.one("1", () -> 1); // re-enters
              return List.of(both, outer, inner, isTaken("stock:1"));
            });

    assertThat(taken).containsExactly(true, true, false, true);
    assertThat(isTaken("stock:1")).isFalse();
  }

  @Test
  void aNestedCallThatFailsLeavesTheOuterLock() {
    Methods bean = start(Methods.class);

    boolean held =
        bean.one(
            "1",
            () -> {
              assertThatThrownBy(() -> bean.one("1", this::fail))
                  .isInstanceOf(IllegalStateException.class);
              return isTaken("stock:1");
            });

    assertThat(held).isTrue();
    assertThat(isTaken("stock:1")).isFalse();
  }

  private int fail() {
    throw new IllegalStateException("inside");
  }

  /**
   * The lease is 3 seconds, and is renewed by the client: nobody has to guess how long it takes.
   */
  @Test
  void aMethodThatTakesLongerThanItsLeaseKeepsItsLock() {
    Methods bean = start(Methods.class);

    bean.one(
        "1",
        () -> {
          await()
              .during(Duration.ofSeconds(4))
              .atMost(Duration.ofSeconds(60))
              .until(() -> isTaken("stock:1"));
          return null;
        });

    assertThat(isTaken("stock:1")).isFalse();
  }

  // ------------------------------------------------------------- the lease

  static class Leases {

    @Locked(name = "lease", leaseTime = "20s")
    public long token(Lease lease) {
      assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(20));
      return lease.token();
    }

    @Locked(name = "pool", permits = 2)
    public int permits(PermitLease lease) {
      return lease.permits();
    }

    @Locked(name = "lease", key = "{1, 2}")
    public int several(MultiLease lease) {
      return lease.tokens().size();
    }

    @Locked(name = "lease", key = "{1, 2}")
    public void wrong(Lease lease) {}
  }

  @Test
  void aMethodGetsItsLease() {
    Leases bean = start(Leases.class);
    long first = bean.token(null);
    assertThat(bean.token(null)).isGreaterThan(first);
    assertThat(bean.permits(null)).isEqualTo(1);
    assertThat(bean.several(null)).isEqualTo(2);
    assertThatThrownBy(() -> bean.wrong(null)).hasMessageContaining("declare a HeldLease");
    assertThat(other.lock("lease:1").tryLock()).isTrue();
  }

  // ------------------------------------------------------------- not in time

  static class Failures {

    @Locked(name = "taken", waitTime = "0")
    public int thrown() {
      return 1;
    }

    @Locked(name = "taken", waitTime = "1ms", onFailure = OnFailure.SKIP)
    public int skipped() {
      return 1;
    }

    @Locked(name = "taken", waitTime = "0", onFailure = OnFailure.SKIP)
    public Optional<String> skippedOptional() {
      return Optional.of("done");
    }

    @Locked(name = "taken", waitTime = "0", onFailure = OnFailure.SKIP)
    public CompletableFuture<String> skippedStage() {
      return CompletableFuture.completedFuture("done");
    }

    @Locked(name = "taken", waitTime = "PT0S", fallback = "instead")
    public String withFallback(String argument) {
      return "done";
    }

    @SuppressWarnings("UnusedMethod") // by its name
    private String instead(String argument) {
      return "instead of " + argument;
    }

    @Locked(name = "taken", waitTime = "0", handler = "handler")
    public String withHandler(String argument) {
      return "done";
    }
  }

  @Configuration
  static class Handler {

    @Bean
    LockFailureHandler handler() {
      return failure -> failure.names() + " " + failure.arguments();
    }
  }

  @Test
  void aCallThatDoesNotGetItsLockDoesWhatItSays() throws Exception {
    Failures bean = start(Failures.class, Handler.class);
    assertThat(bean.thrown()).isEqualTo(1);
    try (Lease lease = other.lock("taken").acquire()) {
      assertThatThrownBy(bean::thrown)
          .isInstanceOf(AcquireTimeoutException.class)
          .hasMessageContaining("' was not granted within ");
      assertThat(bean.skipped()).isZero();
      assertThat(bean.skippedOptional()).isEmpty();
      assertThat(bean.skippedStage().join()).isNull();
      assertThat(bean.withFallback("it")).isEqualTo("instead of it");
      assertThat(bean.withHandler("it")).isEqualTo("[taken] [it]");
      assertThat(lease.isValid()).isTrue();
    }
  }

  // ------------------------------------------------------------- once in a period

  static class Periodic {

    @Locked(name = "job", atLeast = "1h")
    public int run(AtomicInteger runs) {
      return runs.incrementAndGet();
    }

    @Locked(name = "job", atLeast = "1h", fallback = "instead")
    public void fail(AtomicInteger runs) {
      throw new IllegalStateException("run " + runs.incrementAndGet());
    }

    @SuppressWarnings("UnusedMethod") // by its name
    private void instead(AtomicInteger runs) {
      runs.addAndGet(100);
    }

    @Locked(name = "job", atLeast = "0s")
    public boolean runAlone(Periodic inside, AtomicInteger runs) {
      return inside.run(runs) > 0 && runs.get() == 1;
    }
  }

  @Test
  void aJobThatThreeInstancesStartRunsOnceInAPeriod() {
    AtomicInteger runs = new AtomicInteger();
    try (AnnotationConfigApplicationContext second =
            new AnnotationConfigApplicationContext(Base.class, Periodic.class);
        AnnotationConfigApplicationContext third =
            new AnnotationConfigApplicationContext(Base.class, Periodic.class)) {
      List<Periodic> instances =
          List.of(
              start(Periodic.class), second.getBean(Periodic.class), third.getBean(Periodic.class));

      instances.forEach(instance -> instance.run(runs));
      instances.forEach(instance -> instance.run(runs));
    }

    assertThat(runs).hasValue(1);
    assertThat(isTaken("job")).isTrue();
    other.lock("job").forceUnlock();
  }

  @Test
  void aJobThatThrowsIsNotRepeatedInItsPeriod() {
    Periodic bean = start(Periodic.class);
    AtomicInteger runs = new AtomicInteger();

    assertThatThrownBy(() -> bean.fail(runs)).hasMessage("run 1");
    bean.fail(runs);

    assertThat(runs).hasValue(101);
    other.lock("job").forceUnlock();
  }

  @Test
  void theOutermostHoldSaysForHowLongTheLockIsKept() {
    Periodic bean = start(Periodic.class);

    assertThat(bean.runAlone(bean, new AtomicInteger())).isTrue();

    assertThat(isTaken("job")).isFalse();
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    Methods bean = start(Methods.class);
    try (Lease lease = other.lock("stock:1").acquire()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> bean.one("1", () -> 1)).isInstanceOf(LockInterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(lease.isValid()).isTrue();
    }
  }

  // ------------------------------------------------------------- lost

  static class Losses {

    @Locked(name = "lost", onLoss = OnLoss.INTERRUPT)
    public void interrupted(CountDownLatch begun) throws InterruptedException {
      begun.countDown();
      new CountDownLatch(1).await();
    }

    @Locked(name = "lost")
    public void told(Callable<?> work) throws Exception {
      work.call();
    }
  }

  @Test
  void aLossInterruptsTheMethodAndIsSuppressedInWhatItThrows() throws Exception {
    Losses bean = start(Losses.class);
    CountDownLatch begun = new CountDownLatch(1);
    Future<Boolean> call =
        threads.submit(
            () -> {
              assertThatThrownBy(() -> bean.interrupted(begun))
                  .isInstanceOf(InterruptedException.class)
                  .satisfies(
                      e ->
                          assertThat(e.getSuppressed())
                              .singleElement()
                              .isInstanceOf(LeaseLostException.class));
              return Thread.currentThread().isInterrupted();
            });
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(other.lock("lost").forceUnlock()).isTrue();
    // The holder finds out with its next renewal, a third of the lease away.
    assertThat(call.get(60, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void aLossIsPublishedAndEndsTheCall() throws Exception {
    Losses bean = start(Losses.class);
    Base base = context.getBean(Base.class);
    Lockkeeper keeper = context.getBean(Lockkeeper.class);
    assertThatThrownBy(
            () ->
                bean.told(
                    () -> {
                      keeper.close();
                      LeaseLostEvent event = base.losses.poll(30, TimeUnit.SECONDS);
                      assertThat(event.loss().reason()).isEqualTo(LeaseLost.Reason.CLIENT_CLOSED);
                      assertThat(event.method().getName()).isEqualTo("told");
                      return null;
                    }))
        .isInstanceOf(LeaseLostException.class);
  }

  // ------------------------------------------------------------- asynchronous

  static class Stages {

    @Locked(name = "stage")
    public CompletableFuture<String> stage(CompletableFuture<String> work, HeldLease lease) {
      assertThat(lease.isValid()).isTrue();
      return work;
    }

    @Async
    @Locked(name = "async")
    public CompletableFuture<Boolean> async(Lockkeeper keeper) {
      return CompletableFuture.completedFuture(keeper.lock("async").isLocked());
    }

    @Async
    @Locked(name = "async")
    public void asyncVoid(CompletableFuture<Boolean> held, Lockkeeper keeper) {
      held.complete(keeper.lock("async").isHeldByCurrentThread());
    }
  }

  @Configuration
  @EnableAsync(proxyTargetClass = true)
  static class AsyncOn {}

  @Test
  void aStageIsHeldUntilItIsComplete() throws Exception {
    Stages bean = start(Stages.class);
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> result = bean.stage(work, null);
    assertThat(isTaken("stage")).isTrue();
    work.complete("done");
    assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo("done");
    assertThat(other.lock("stage").tryAcquire(Duration.ofSeconds(30))).isPresent();
  }

  @Test
  void aStageThatIsCancelledOrFailsIsReleased() throws Exception {
    Stages bean = start(Stages.class);
    CompletableFuture<String> work = new CompletableFuture<>();
    bean.stage(work, null).cancel(true);
    assertThat(work).isCancelled();
    CompletableFuture<String> failed =
        bean.stage(CompletableFuture.failedFuture(new IllegalStateException("no")), null);
    assertThatThrownBy(() -> failed.get(30, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(IllegalStateException.class);
    assertThat(other.lock("stage").tryAcquire(Duration.ofSeconds(30))).isPresent();
  }

  @Test
  void asynchronousMethodsTakeTheLockOnTheirOwnThread() throws Exception {
    Stages bean = start(Stages.class, AsyncOn.class);
    Lockkeeper keeper = context.getBean(Lockkeeper.class);
    assertThat(bean.async(keeper).get(30, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Boolean> held = new CompletableFuture<>();
    bean.asyncVoid(held, keeper);
    assertThat(held.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(other.lock("async").tryAcquire(Duration.ofSeconds(30))).isPresent();
  }

  // ------------------------------------------------------------- the template, and proxies

  @Test
  void theTemplateDoesTheSameWithoutAProxy() throws Exception {
    Methods bean = start(Methods.class);
    Lockkeeper keeper = context.getBean(Lockkeeper.class);
    LockTemplate template =
        new LockTemplate(keeper, LockSettings.defaults().withWaitTime(Duration.ZERO));
    long token = template.execute("t", Lease::token);
    assertThat(token).isPositive();
    boolean taken = template.execute("stock:1", lease -> bean.one("1", () -> isTaken("stock:1")));
    assertThat(taken).isTrue();
    LockRequest pool = LockRequest.of("pool").withPermits(1);
    boolean valid = template.execute(pool, HeldLease::isValid);
    assertThat(valid).isTrue();
    LockRequest both = LockRequest.of("x", "y").withMode(LockMode.WRITE);
    boolean locked =
        template.execute(both, lease -> other.readWriteLock("y").writeLock().isLocked());
    assertThat(locked).isTrue();
    try (Lease lease = other.lock("t").acquire()) {
      assertThatThrownBy(() -> template.execute("t", held -> 1))
          .isInstanceOf(AcquireTimeoutException.class);
      AcquireOptions briefly = AcquireOptions.defaults().withWait(Duration.ofMillis(1));
      assertThatThrownBy(() -> template.execute("t", briefly, held -> 1))
          .isInstanceOf(AcquireTimeoutException.class);
      assertThat(lease.isValid()).isTrue();
    }
    assertThat(AopUtils.isAopProxy(bean)).isTrue();
  }
}
