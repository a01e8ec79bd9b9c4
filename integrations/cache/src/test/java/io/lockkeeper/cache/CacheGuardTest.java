package io.lockkeeper.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import com.google.common.util.concurrent.Uninterruptibles;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lockkeeper.Lease;
import io.lockkeeper.LockObserver;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.process.TalkingProcess;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Promise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises of the guard, on a real Redis, with two clients as two processes have them. */
@Execution(ExecutionMode.CONCURRENT)
class CacheGuardTest {

  /** Longer than any test. */
  private static final Duration LONG = Duration.ofMinutes(10);

  private static final CacheGuardOptions OPTIONS =
      CacheGuardOptions.defaults().withTimeToLive(LONG).withJitter(0).withMaxWait(LONG);

  @AutoClose private static RedisServer server;
  @AutoClose private static RedisClient redis;
  @AutoClose private static Lockkeeper keeper;
  @AutoClose private static Lockkeeper elsewhere;

  private static RedisCache<String, String> cache;

  @AutoClose private final GuardedReaders readers = new GuardedReaders();
  private final AtomicInteger loads = new AtomicInteger();
  private final CountDownLatch loading = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @BeforeAll
  static void start() {
    server = RedisServer.start();
    redis = RedisClient.create(server.url());
    keeper = Lockkeeper.connect(url());
    elsewhere = Lockkeeper.connect(url());
    cache = cache(redis);
  }

  @AfterAll
  static void nothingWaits() {
    assertThat(keeper.admin().inspect()).allSatisfy(seen -> assertThat(seen.waiters()).isEmpty());
  }

  private static String url() {
    return server.url() + "?afterLoss=grant&connectTimeout=20s";
  }

  static RedisCache<String, String> cache(RedisClient redis) {
    return new RedisCache<>(
        redis.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)).async(),
        "cache:",
        ValueCodec.utf8(),
        Duration.ofSeconds(20));
  }

  static CacheGuard<String, String> guard(
      Lockkeeper keeper, CacheStore<String, String> cache, CacheGuardOptions options) {
    return CacheGuard.builder(keeper, cache).name("test").options(options).build();
  }

  private static CacheGuard<String, String> here(CacheGuardOptions options) {
    return guard(keeper, cache, options);
  }

  private static CacheGuard<String, String> there(CacheGuardOptions options) {
    return guard(elsewhere, cache, options);
  }

  /** Loads "value N", N counting the loads. */
  private String load(String key) {
    return "value " + loads.incrementAndGet();
  }

  /** Loads as {@link #load}, once the test says so. */
  private String loadSlowly(String key) throws InterruptedException {
    String value = load(key);
    loading.countDown();
    goOn.await();
    return value;
  }

  private Future<Optional<String>> beginSlowly(CacheGuard<String, String> guard, String key)
      throws InterruptedException {
    Future<Optional<String>> begun = readers.begin(() -> guard.get(key, this::loadSlowly));
    loading.await();
    return begun;
  }

  // ------------------------------------------------------------- breakdown

  @Test
  @Promise("CG1")
  void aHotKeyThatExpiresEachSecondIsLoadedOncePerExpiry() throws Exception {
    Duration second = Duration.ofSeconds(1);
    CacheGuardOptions options = OPTIONS.withTimeToLive(second);
    List<CacheGuard<String, String>> guards =
        List.of(
            here(options),
            guard(elsewhere, new NearCache<>(cache, 10, Duration.ofMillis(100)), options));
    ConcurrentLinkedQueue<Long> begun = new ConcurrentLinkedQueue<>();
    AtomicInteger inside = new AtomicInteger();
    long latest = System.nanoTime() + Delays.patience().toNanos();
    List<Future<Integer>> all = new ArrayList<>();
    for (CacheGuard<String, String> guard : guards) {
      all.addAll(
          readers.begin(
              100,
              () -> {
                int read = 0;
                do {
                  assertThat(
                          guard.get(
                              "hot",
                              key -> {
                                begun.add(System.nanoTime());
                                assertThat(inside.incrementAndGet()).isEqualTo(1);
                                LockSupport.parkNanos(20_000_000);
                                inside.decrementAndGet();
                                return "value";
                              }))
                      .hasValue("value");
                  read++;
                  LockSupport.parkNanos(20_000_000);
                } while (begun.size() < 5 && System.nanoTime() - latest < 0);
                return read;
              }));
    }
    for (Future<Integer> reader : all) {
      assertThat(GuardedReaders.get(reader)).isPositive();
    }

    List<Long> loads = List.copyOf(begun);
    assertThat(loads).as("loads").hasSizeGreaterThanOrEqualTo(5);
    for (int i = 1; i < loads.size(); i++) {
      assertThat(Duration.ofNanos(loads.get(i) - loads.get(i - 1)))
          .as("between two loads")
          .isGreaterThanOrEqualTo(second);
    }
  }

  @Test
  @Promise("CG1")
  void whoeverWaitsGetsTheOneValueThatIsLoaded() throws Exception {
    Future<Optional<String>> first = beginSlowly(here(OPTIONS), "one");
    CacheGuard<String, String> here = here(OPTIONS);
    CacheGuard<String, String> there = there(OPTIONS);
    List<Future<Optional<String>>> all =
        new ArrayList<>(readers.begin(20, () -> here.get("one", this::load)));
    all.addAll(readers.begin(20, () -> there.get("one", this::load)));

    goOn.countDown();

    all.add(first);
    for (Future<Optional<String>> each : all) {
      assertThat(GuardedReaders.get(each)).hasValue("value 1");
    }
    assertThat(loads).hasValue(1);
  }

  @Test
  @Promise("CG6")
  void aStaleValueIsServedWhileOneRefreshes() throws Exception {
    CacheGuardOptions options =
        OPTIONS.withTimeToLive(Duration.ofMillis(100)).withStaleTime(Duration.ofMinutes(1));
    CacheGuard<String, String> here = here(options);
    assertThat(here.get("stale", key -> "old")).hasValue("old");
    await().atMost(Delays.patience()).until(() -> isStale("stale", options));

    Future<Optional<String>> refreshing = beginSlowly(here, "stale");
    List<Future<Optional<String>>> all =
        new ArrayList<>(readers.begin(20, () -> here.get("stale", this::load)));
    CacheGuard<String, String> there = there(options);
    all.addAll(readers.begin(20, () -> there.get("stale", this::load)));
    for (Future<Optional<String>> each : all) {
      assertThat(GuardedReaders.get(each)).hasValue("old");
    }

    goOn.countDown();
    assertThat(GuardedReaders.get(refreshing)).hasValue("value 1");
    assertThat(cache.get("stale")).extracting(CacheEntry::value).isEqualTo("value 1");
    assertThat(loads).hasValue(1);
  }

  @Test
  @Promise("CG6")
  void aRefreshThatFailsLeavesTheStaleValue() throws Exception {
    CacheGuardOptions options =
        OPTIONS.withTimeToLive(Duration.ofMillis(1)).withStaleTime(Duration.ofMinutes(1));
    CacheGuard<String, String> guard = here(options);
    guard.get("unrefreshed", key -> "old");
    await().atMost(Delays.patience()).until(() -> isStale("unrefreshed", options));

    assertThat(
            guard.get(
                "unrefreshed",
                key -> {
                  loads.incrementAndGet();
                  throw new IllegalStateException("no database");
                }))
        .hasValue("old");
    assertThat(loads).hasValue(1);
  }

  @Test
  @Promise("CG6")
  void anExecutorThatThrowsLeavesTheStaleValueAndLaterRefreshes() throws Exception {
    CacheGuardOptions options =
        OPTIONS.withTimeToLive(Duration.ofMillis(1)).withStaleTime(Duration.ofMinutes(1));
    Deque<Throwable> failures =
        new ArrayDeque<>(
            List.of(
                new RejectedExecutionException("full"),
                new NoClassDefFoundError("no such task"),
                new IllegalStateException("stopped"),
                new IOException("thrown by another language")));
    CacheGuard<String, String> guard =
        CacheGuard.builder(keeper, cache)
            .name("test")
            .options(options)
            .refreshOn(
                task -> {
                  if (failures.isEmpty()) {
                    task.run();
                  } else {
                    throwAny(failures.remove());
                  }
                })
            .build();
    guard.get("unexecuted", key -> "old");
    await().atMost(Delays.patience()).until(() -> isStale("unexecuted", options));

    for (int failing = failures.size(); failing > 0; failing--) {
      assertThat(guard.get("unexecuted", this::load)).hasValue("old");
      assertThat(failures).hasSize(failing - 1);
    }
    assertThat(
            guard.get(
                "unexecuted",
                key -> {
                  throw new NoClassDefFoundError("no such driver");
                }))
        .as("an Error of the loader on the caller's own thread")
        .hasValue("old");
    assertThat(guard.get("unexecuted", this::load)).hasValue("value 1");
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void throwAny(Throwable any) throws T {
    throw (T) any;
  }

  private static boolean isStale(String key, CacheGuardOptions options) {
    CacheEntry<String> entry = cache.get(key);
    return entry != null && entry.timeLeft().compareTo(options.staleTime()) <= 0;
  }

  // ------------------------------------------------------------- loaders that hang, die or fail

  @Test
  @Promise("CG2")
  void aLoaderThatHangsDelaysOthersByItsLeaseAndWritesNothingAfterIt() throws Exception {
    CacheGuardOptions options = OPTIONS.withLoadLease(Duration.ofSeconds(1));
    CacheGuard<String, String> here = here(options);
    long begun = System.nanoTime();
    Future<Optional<String>> hanging = beginSlowly(here, "hung");
    CacheGuard<String, String> there = there(options);
    List<Future<Optional<String>>> others =
        List.of(
            readers.begin(() -> there.get("hung", key -> "next")),
            readers.begin(() -> here.get("hung", key -> "next")));

    for (Future<Optional<String>> other : others) {
      assertThat(GuardedReaders.get(other)).hasValue("next");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Delays.millis(5_000));

    goOn.countDown();
    assertThat(GuardedReaders.get(hanging)).as("for its own caller").hasValue("value 1");
    assertThat(there.get("hung", this::load)).hasValue("next");
  }

  @Test
  @Promise("CG2")
  void aLoaderWhoseProcessIsKilledDelaysOthersByItsLease() throws Exception {
    Duration lease = Duration.ofSeconds(2);
    try (TalkingProcess process = HangingLoader.start(url(), lease)) {
      process.await("loading", Delays.millis(60_000));
      process.kill();
      long killed = System.nanoTime();

      assertThat(here(OPTIONS).get("killed", this::load)).hasValue("value 1");

      Duration delay = Duration.ofNanos(System.nanoTime() - killed);
      System.out.printf("a killed loader's lease: %s, delay: %s%n", lease, delay);
      assertThat(delay).isLessThan(lease.plus(Delays.millis(5_000)));
    }
  }

  @Test
  @Promise("CG3")
  void whatALoaderThrowsIsThrownToThoseWhoWaitedAndOthersTryOnce() throws Exception {
    CacheGuard<String, String> here = here(OPTIONS);
    CacheLoader<String, String> failing =
        key -> {
          loadSlowly(key);
          throw new IOException("no database");
        };
    Future<Optional<String>> first = readers.begin(() -> here.get("failing", failing));
    loading.await();
    List<Future<Optional<String>>> all =
        new ArrayList<>(readers.begin(20, () -> here.get("failing", failing)));
    await().atMost(Delays.patience()).until(() -> readers.waiting() == 20);
    CacheGuard<String, String> there = there(OPTIONS);
    Future<Optional<String>> other = readers.begin(() -> there.get("failing", key -> "value"));

    goOn.countDown();

    all.add(first);
    for (Future<Optional<String>> each : all) {
      assertThatThrownBy(() -> GuardedReaders.get(each))
          .isInstanceOf(CacheLoadException.class)
          .hasMessageContaining("'failing'")
          .hasRootCauseMessage("no database");
    }
    assertThat(loads).hasValue(1);
    assertThat(GuardedReaders.get(other)).hasValue("value");
  }

  @Test
  void aLoaderThatAsksForItsOwnKeyIsToldSo() {
    CacheGuard<String, String> guard = here(OPTIONS);

    assertThatThrownBy(() -> guard.get("self", key -> guard.get(key, this::load).orElse(null)))
        .isInstanceOf(CacheLoadException.class)
        .hasRootCauseInstanceOf(IllegalStateException.class);
  }

  // ------------------------------------------------------------- the limit on the wait

  @Test
  @Promise("CG7")
  void aWaitEndsAtItsLimitWithAnExceptionOrWithALoadWithoutTheLock() throws Exception {
    Future<Optional<String>> slow = beginSlowly(here(OPTIONS), "slow");
    CacheGuardOptions impatient = OPTIONS.withMaxWait(Duration.ofMillis(100));

    assertThatThrownBy(() -> there(impatient).get("slow", this::load))
        .isInstanceOf(CacheWaitException.class)
        .hasMessageContaining("'slow' of test is still being loaded after 100ms");
    assertThat(loads).hasValue(1);
    assertThat(there(impatient.withLoadingWithoutLock(true)).get("slow", this::load))
        .hasValue("value 2");

    goOn.countDown();
    assertThat(GuardedReaders.get(slow)).hasValue("value 1");
  }

  @Test
  @Promise("CG7")
  void withoutTheStoreOfTheLocksTheOptionsDecide() throws Exception {
    try (RedisServer locks = RedisServer.start();
        Lockkeeper alone =
            Lockkeeper.builder().storeTimeout(Duration.ofMillis(500)).connect(locks.url())) {
      locks.freeze();

      assertThatThrownBy(() -> guard(alone, cache, OPTIONS).get("unlocked", this::load))
          .isInstanceOf(StoreUnavailableException.class);
      assertThat(
              guard(alone, cache, OPTIONS.withLoadingWithoutLock(true)).get("unlocked", this::load))
          .hasValue("value 1");

      locks.thaw();
    }
  }

  private CacheGuard.Builder<String, String> fallingBack(CacheGuardOptions options) {
    return CacheGuard.builder(elsewhere, cache)
        .name("test")
        .options(options)
        .fallback(key -> Optional.of("fallback of " + key));
  }

  @Test
  @Promise("CG9")
  void whoseWaitIsOverGetsTheFallbackAndNobodyElseDoes() throws Exception {
    Future<Optional<String>> slow = beginSlowly(here(OPTIONS), "fallback");
    CacheGuard<String, String> impatient =
        fallingBack(OPTIONS.withMaxWait(Duration.ofMillis(100))).build();
    List<Future<Optional<String>>> all =
        readers.begin(20, () -> impatient.get("fallback", this::load));

    for (Future<Optional<String>> each : all) {
      assertThat(GuardedReaders.get(each)).hasValue("fallback of fallback");
    }
    assertThat(cache.get("fallback")).isNull();

    goOn.countDown();
    assertThat(GuardedReaders.get(slow)).hasValue("value 1");
    assertThat(impatient.get("fallback", this::load)).hasValue("value 1");
    assertThat(loads).hasValue(1);
  }

  @Test
  @Promise("CG9")
  void withoutTheStoreOfTheLocksAllGetTheFallback() throws Exception {
    try (RedisServer locks = RedisServer.start();
        Lockkeeper alone =
            Lockkeeper.builder().storeTimeout(Duration.ofMillis(500)).connect(locks.url())) {
      CacheGuard<String, String> guard =
          CacheGuard.builder(alone, cache)
              .options(OPTIONS)
              .fallback(key -> key.equals("none") ? Optional.empty() : Optional.of("fallback"))
              .build();
      locks.freeze();

      List<Future<Optional<String>>> all = readers.begin(20, () -> guard.get("alone", this::load));
      for (Future<Optional<String>> each : all) {
        assertThat(GuardedReaders.get(each)).hasValue("fallback");
      }
      assertThat(guard.get("none", this::load)).isEmpty();
      cache.put("alone", "cached", LONG);
      assertThat(guard.get("alone", this::load)).hasValue("cached");
      assertThat(loads).hasValue(0);

      locks.thaw();
    }
  }

  @Test
  @Promise("CG9")
  void aLoaderThatFailsIsNoCaseForTheFallback() {
    CacheGuard<String, String> guard = fallingBack(OPTIONS).build();

    assertThatThrownBy(
            () ->
                guard.get(
                    "broken",
                    key -> {
                      throw new IOException("no database");
                    }))
        .isInstanceOf(CacheLoadException.class)
        .hasRootCauseMessage("no database");
    assertThatThrownBy(() -> fallingBack(OPTIONS.withLoadingWithoutLock(true)).build())
        .isInstanceOf(IllegalStateException.class);
  }

  // ------------------------------------------------------------- penetration

  @Test
  @Promise("CG4")
  void absentKeysAreLoadedForOneInAHundredReadsAtMost() throws Exception {
    CacheGuard<String, String> here = here(OPTIONS);
    CacheGuard<String, String> there = there(OPTIONS);
    for (int i = 0; i < 2_000; i++) {
      CacheGuard<String, String> guard = i % 2 == 0 ? here : there;
      assertThat(
              guard.get(
                  "absent " + i % 20,
                  key -> {
                    loads.incrementAndGet();
                    return null;
                  }))
          .isEmpty();
    }
    assertThat(loads).hasValue(20);
  }

  @Test
  @Promise("CG4")
  void whatAFilterExcludesReachesNeitherTheCacheNorTheLoader() throws Exception {
    BloomFilter<CharSequence> known =
        BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), 1_000, 0.01);
    for (int i = 0; i < 100; i++) {
      known.put("known " + i);
    }
    CacheGuard<String, String> guard =
        CacheGuard.builder(keeper, cache).options(OPTIONS).filter(known::mightContain).build();

    for (int i = 0; i < 1_000; i++) {
      guard.get("unknown " + i, this::load);
    }
    assertThat(loads).hasValueLessThanOrEqualTo(10);
    assertThat(guard.get("known 7", key -> "value")).hasValue("value");
  }

  @Test
  @Promise("CG4")
  void absenceIsForgottenAfterItsTime() throws Exception {
    CacheGuard<String, String> guard =
        here(OPTIONS.withAbsentTimeToLive(Duration.ofMillis(50)).withStaleTime(LONG));
    assertThat(guard.get("new", key -> null)).isEmpty();

    await().atMost(Delays.patience()).until(() -> guard.get("new", this::load).isPresent());

    CacheGuard<String, String> forgetful = here(OPTIONS.withAbsentTimeToLive(Duration.ZERO));
    assertThat(forgetful.get("never", key -> null)).isEmpty();
    assertThat(cache.get("never")).isNull();
  }

  // ------------------------------------------------------------- avalanche

  @Test
  @Promise("CG5")
  void whatIsLoadedTogetherExpiresAtDifferentTimes() throws Exception {
    CacheGuard<String, String> guard =
        here(OPTIONS.withTimeToLive(Duration.ofSeconds(1_000)).withJitter(0.5));
    int[] perTenth = new int[10];
    for (int i = 0; i < 200; i++) {
      String key = "many " + i;
      guard.get(key, this::load);
      CacheEntry<String> entry = cache.get(key);
      assertThat(entry).isNotNull();
      assertThat(entry.timeLeft()).isBetween(Duration.ofSeconds(470), Duration.ofSeconds(1_000));
      perTenth[Math.min(9, (int) Math.max(0, (entry.timeLeft().toSeconds() - 500) / 50))]++;
    }
    for (int keys : perTenth) {
      assertThat(keys).isLessThan(60);
    }
  }

  // ------------------------------------------------------------- changes

  @Test
  @Promise("CG8")
  void whatWasLoadedBeforeItWasInvalidatedIsNotServedAfterwards() throws Exception {
    CacheGuard<String, String> here = here(OPTIONS);
    Future<Optional<String>> old = beginSlowly(here, "changed");
    CacheGuard<String, String> there = there(OPTIONS);
    Future<Boolean> change =
        readers.begin(
            () -> {
              there.invalidate("changed");
              return true;
            });
    await()
        .atMost(Delays.patience())
        .untilAsserted(
            () ->
                assertThat(keeper.admin().inspect(ResourceKind.LOCK, "test:changed").waiters())
                    .hasSize(1));

    goOn.countDown();

    assertThat(GuardedReaders.get(old)).hasValue("value 1");
    assertThat(GuardedReaders.get(change)).isTrue();
    assertThat(here.get("changed", this::load)).hasValue("value 2");
  }

  @Test
  @Promise("CG8")
  void whoeverAsksOnceTheLockIsFreeDoesNotJoinTheLoad() throws Exception {
    try (PausedRelease release = new PausedRelease();
        Lockkeeper paused = Lockkeeper.builder().observer(release).connect(url())) {
      CacheGuard<String, String> guard = guard(paused, cache, OPTIONS);
      Future<Optional<String>> old = readers.begin(() -> guard.get("landed", this::load));
      release.await();

      assertThat(afterAnInvalidation(guard, "landed", release)).hasValue("value 2");
      assertThat(GuardedReaders.get(old)).hasValue("value 1");
    }
  }

  @Test
  @Promise("CG8")
  void whoeverAsksOnceTheLockIsFreeDoesNotJoinTheRefresh() throws Exception {
    CacheGuardOptions options = OPTIONS.withStaleTime(LONG);
    try (PausedRelease release = new PausedRelease();
        Lockkeeper paused = Lockkeeper.builder().observer(release).connect(url())) {
      CacheGuard<String, String> guard =
          CacheGuard.builder(paused, cache)
              .name("test")
              .options(options)
              .refreshOn(
                  task -> {
                    var unused = readers.begin(Executors.callable(task));
                  })
              .build();
      cache.put("refreshed", "stale", LONG);
      assertThat(guard.get("refreshed", this::load)).hasValue("stale");
      release.await();

      assertThat(afterAnInvalidation(guard, "refreshed", release)).hasValue("value 2");
    }
  }

  private Optional<String> afterAnInvalidation(
      CacheGuard<String, String> guard, String key, PausedRelease release) throws Exception {
    there(OPTIONS).invalidate(key);
    Future<Optional<String>> read = readers.begin(() -> guard.get(key, this::load));
    await().atMost(Delays.patience()).until(() -> read.isDone() || readers.waiting() > 0);
    release.goOn();
    return GuardedReaders.get(read);
  }

  /** Stops the first thread that has released a lock, before its call returns. */
  private static final class PausedRelease implements LockObserver, AutoCloseable {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public Attempt begin(Request request) {
      return new Attempt() {
        @Override
        public void released(long heldNanos) {
          boolean isFirst = begun.getCount() > 0;
          begun.countDown();
          if (isFirst) {
            Uninterruptibles.awaitUninterruptibly(goOn);
          }
        }
      };
    }

    void await() throws InterruptedException {
      begun.await();
    }

    void goOn() {
      goOn.countDown();
    }

    @Override
    public void close() {
      goOn();
    }
  }

  @Test
  @Promise("CG8")
  void anInvalidationThatCannotWaitRemovesAllTheSame() throws Exception {
    here(OPTIONS).get("busy", this::load);
    CacheGuardOptions impatient = OPTIONS.withMaxWait(Duration.ofMillis(50));
    try (Lease held = elsewhere.lock("test:busy").acquire()) {
      assertThatThrownBy(() -> here(impatient).invalidate("busy"))
          .isInstanceOf(CacheWaitException.class);
      assertThat(held.isValid()).isTrue();
    }
    assertThat(cache.get("busy")).isNull();
  }

  // ------------------------------------------------------------- keys and caches

  @Test
  void anyKeyHasALock() throws Exception {
    for (String key : List.of("", "\n", "ключ", "long ".repeat(1_000))) {
      assertThat(here(OPTIONS).get(key, same -> "value of " + same)).hasValue("value of " + key);
    }
  }

  @Test
  void aNearCopyIsReadUntilItsTimeAndPassedByOnceTheLockIsHeld() throws Exception {
    NearCache<String, String> near = new NearCache<>(cache, 100, LONG);
    cache.put("near", "old", LONG);
    assertThat(near.get("near")).extracting(CacheEntry::value).isEqualTo("old");

    cache.put("near", "new", LONG);
    assertThat(near.get("near")).extracting(CacheEntry::value).isEqualTo("old");
    assertThat(near.getShared("near")).extracting(CacheEntry::value).isEqualTo("new");
    assertThat(near.get("near")).extracting(CacheEntry::value).isEqualTo("new");

    near.put("near", "short", Duration.ofMillis(50));
    await().atMost(Delays.patience()).until(() -> near.get("near") == null);
    near.put("near", "gone", LONG);
    near.remove("near");
    assertThat(near.get("near")).isNull();
    assertThat(cache.get("near")).isNull();
  }

  @Test
  @Promise("CG8")
  void anEntryThatWasReadBeforeAChangeIsNoCopyAfterIt() {
    Runnable[] afterTheRead = new Runnable[1];
    CacheStore<String, String> shared =
        new CacheStore<>() {
          @Override
          public @Nullable CacheEntry<String> get(String key) {
            CacheEntry<String> entry = cache.get(key);
            afterTheRead[0].run();
            return entry;
          }

          @Override
          public void put(String key, @Nullable String value, Duration timeToLive) {
            cache.put(key, value, timeToLive);
          }

          @Override
          public void remove(String key) {
            cache.remove(key);
          }
        };
    NearCache<String, String> near = new NearCache<>(shared, 100, LONG);
    for (Runnable change :
        List.<Runnable>of(() -> near.remove("raced"), () -> near.put("raced", "new", LONG))) {
      cache.put("raced", "old", LONG);
      afterTheRead[0] = change;
      assertThat(near.get("raced")).extracting(CacheEntry::value).isEqualTo("old");

      afterTheRead[0] = () -> {};
      assertThat(near.get("raced") == null).isEqualTo(cache.get("raced") == null);
      CacheEntry<String> seen = near.get("raced");
      assertThat(seen == null ? "none" : seen.value()).isNotEqualTo("old");
    }
  }

  @Test
  void whatTheGuideShowsRuns() throws InterruptedException {
    GuideExamples guide = new GuideExamples();
    CacheStore<String, String> products = guide.cache(redis);

    assertThat(guide.read(keeper, products, this::load)).contains("value 1");
    assertThat(guide.read(elsewhere, products, this::load)).contains("value 1");
    assertThat(guide.withDefault(keeper, products).get("1002", this::load)).contains("value 2");
    BloomFilter<CharSequence> none =
        BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), 1);
    assertThat(guide.filtered(keeper, products, none).get("1003", this::load)).isEmpty();
    assertThat(loads).hasValue(2);
  }
}
