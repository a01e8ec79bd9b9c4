package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HolderReport;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.Quarantine;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.fault.TcpProxy;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that have just been started: after which time they grant, and that all are notified. */
@ResourceLock("io.lockkeeper.redis")
class YoungServerTest {

  private static final Duration LEASE = Duration.ofSeconds(3);

  /** Long enough for clients from before on a slow machine. */
  private static final String ASK =
      "?afterLoss=ask&quarantine=" + Delays.millis(3_000).toMillis() + "ms";

  private static final Logger LOGGER = Logger.getLogger("io.lockkeeper.redis");

  private final List<AutoCloseable> open = new ArrayList<>();
  private final Log log = new Log();
  private RedisServer server;

  private static final class Log extends Handler {

    private final List<String> lines = new ArrayList<>();

    @Override
    public synchronized void publish(LogRecord line) {
      lines.add(new SimpleFormatter().formatMessage(line));
    }

    synchronized List<String> lines() {
      return List.copyOf(lines);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** The first client of a process loads classes, for longer than a server may be young. */
  @BeforeAll
  static void loadClasses() throws Exception {
    try (RedisServer warm = RedisServer.start();
        Lockkeeper keeper = client().connect(warm.url())) {
      acquired(keeper).close();
    }
  }

  @BeforeEach
  void start() {
    server = opened(RedisServer.builder().binary(Binaries.newest()).start());
    server.command("FLUSHALL"); // it has a mark, for the sake of other tests
    LOGGER.addHandler(log);
  }

  @AfterEach
  void end() throws Exception {
    LOGGER.removeHandler(log);
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private <C extends AutoCloseable> C opened(C closeable) {
    open.add(closeable);
    return closeable;
  }

  private static LockkeeperBuilder client() {
    return Lockkeeper.builder().lease(LEASE);
  }

  private Lockkeeper connected(String options) {
    return opened(client().connect(server.url() + options));
  }

  private static Lease acquired(Lockkeeper keeper) throws Exception {
    return keeper.lock("a").acquire(AcquireOptions.defaults().withWait(Delays.patience()));
  }

  /** Holds the lock for the whole lease, and not for the time that a waiter has to answer. */
  private static Lease held(Lockkeeper keeper) throws Exception {
    acquired(keeper).close();
    return acquired(keeper);
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  // ------------------------------------------------------------- nobody from before

  @Test
  void theFirstLockAtANewServerIsGrantedTwoSecondsAfterItsStartAndTheLogSaysWhy() throws Exception {
    long begin = System.nanoTime();
    Lockkeeper keeper = opened(Lockkeeper.connect(server.url()));

    assertThat(log.lines())
        .singleElement()
        .asString()
        .startsWith(
            "Redis at "
                + server.url()
                + " was started, flushed or failed over, and may have lost its locks."
                + " No lock is granted for another ")
        .endsWith(
            " s. In tests only, set afterLoss=grant in the URL"
                + " (with Spring Boot lockkeeper.redis.after-loss=grant)");

    acquired(keeper).close();
    assertThat(since(begin))
        .isGreaterThanOrEqualTo(LossRule.QUARANTINE.dividedBy(2))
        .isLessThan(Duration.ofSeconds(20)); // and not half a minute
    await().atMost(Delays.patience()).until(() -> keeper.admin().quarantine().isEmpty());
  }

  /** A client that loses its connection needs half a second until it tries again. */
  @Test
  void theFirstClientOfAServerThatStartedLongerAgoWaitsForHalfOfIt() {
    String ask = "?afterLoss=ask&quarantine=4s";
    await().atMost(Delays.patience()).until(() -> uptimeSeconds() >= 4);

    Quarantine found = connected(ask).admin().quarantine().orElseThrow();

    assertThat(found.remaining()).isLessThan(Duration.ofSeconds(3));
  }

  private int uptimeSeconds() {
    return Stream.of(String.valueOf(server.command("INFO", "server")).split("\r\n"))
        .filter(line -> line.startsWith("uptime_in_seconds:"))
        .mapToInt(line -> Integer.parseInt(line.substring(line.indexOf(':') + 1).strip()))
        .findAny()
        .orElseThrow();
  }

  @Test
  void theClientsOfAProcessLogItOnce() {
    for (int i = 0; i < 3; i++) {
      connected("");
    }

    assertThat(log.lines()).hasSize(1);
  }

  @Test
  void withAfterLossWaitTheFirstLockIsGrantedWhenTheLongestLeaseIsOver() throws Exception {
    long begin = System.nanoTime();
    Lockkeeper keeper = connected("?afterLoss=wait");

    assertThat(keeper.admin().quarantine()).isPresent(); // at connect
    acquired(keeper).close();
    assertThat(since(begin)).isGreaterThanOrEqualTo(LEASE.minusSeconds(2)); // it runs since then
  }

  @Test
  void withAfterLossGrantTheFirstLockIsGrantedAtOnce() {
    Lockkeeper keeper = connected("?afterLoss=grant");

    assertThat(keeper.lock("a").tryLock()).isTrue();
    assertThat(keeper.admin().quarantine()).isEmpty();
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void aRequestThatIsNotServedSaysWhy() {
    Lockkeeper keeper = connected(ASK);
    Quarantine found = keeper.admin().quarantine().orElseThrow();
    String why =
        "Redis at "
            + server.url()
            + " was started, flushed or failed over, and may have lost its locks";
    AcquireOptions shortly = AcquireOptions.defaults().withWait(Duration.ofMillis(50));

    assertThat(found.reason()).isEqualTo(why);
    assertThat(found.remaining()).isPositive().isLessThanOrEqualTo(Delays.millis(3_100));
    assertThatThrownBy(() -> keeper.lock("a").acquire(shortly))
        .isInstanceOf(AcquireTimeoutException.class)
        .hasMessageContaining("'a' was not granted within 50ms: " + why)
        .hasMessageContaining("afterLoss=grant");
    DistributedSemaphore semaphore = keeper.semaphore("s", 3);
    assertThatThrownBy(() -> semaphore.acquire(1, shortly)).hasMessageContaining(why);
    assertThat(keeper.admin().inspect().stream().flatMap(report -> report.holders().stream()))
        .isNotEmpty()
        .extracting(HolderReport::client)
        .allSatisfy(
            holder -> assertThat(holder).hasToString("unknown holder: the server restarted"));
  }

  /** Else no instance would run a job of this time: each would find the lock taken. */
  @Test
  void workOnceInAPeriodIsDoneByOneClientWhenTheServerGrantsAgain() throws Exception {
    // All three are there before it does.
    String ask = "?afterLoss=ask&quarantine=" + Delays.limit(3_000).toMillis() + "ms";
    List<Lockkeeper> keepers = List.of(connected(ask), connected(ask), connected(ask));
    AtomicInteger runs = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(keepers.size());
    open.add(threads::shutdownNow);
    List<Future<Boolean>> done = new ArrayList<>();
    for (Lockkeeper keeper : keepers) {
      assertThat(keeper.admin().quarantine()).isPresent();
      done.add(
          threads.submit(() -> keeper.once("job", Duration.ofHours(1), runs::incrementAndGet)));
    }

    int ran = 0;
    for (Future<Boolean> each : done) {
      ran += each.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS) ? 1 : 0;
    }
    assertThat(ran).isOne();
    assertThat(runs).hasValue(1);
  }

  @Test
  void workOnceInAPeriodIsSkippedWithAWarningIfTheServerDoesNotGrantInTime() throws Exception {
    Logger logger = Logger.getLogger("io.lockkeeper.client");
    logger.addHandler(log);
    try {
      Lockkeeper keeper = connected(ASK);

      assertThat(keeper.once("job", Duration.ofMillis(100), () -> {})).isFalse();
      await()
          .atMost(Delays.patience())
          .until(
              () ->
                  log.lines().stream()
                      .anyMatch(it -> it.startsWith("the work of 'job' is skipped: ")));
    } finally {
      logger.removeHandler(log);
    }
  }

  // ------------------------------------------------------------- clients from before

  @ParameterizedTest
  @ValueSource(strings = {"", "?afterLoss=wait"})
  void aHolderThatCanReportKeepsANewClientOutUntilItsLeaseIsOver(String options) throws Exception {
    String all = options.isEmpty() ? ASK : options;
    Lease held = held(connected(all));
    server.restart(RedisServer.Data.LOST);

    Lease next = acquired(connected(all));

    assertThat(held.isValid()).isFalse();
    assertThat(next.token()).isGreaterThan(held.token());
  }

  @Test
  void aClientThatHeldNothingReportsForOthersToo() throws Exception {
    TcpProxy proxy = opened(new TcpProxy(RedisServer.HOST, server.port()));
    Lockkeeper holder = behind(proxy, client());
    connected(ASK);
    Lease held = held(holder);
    proxy.refuse();
    server.restart(RedisServer.Data.LOST);

    acquired(connected(ASK));

    assertThat(held.isValid()).isFalse();
  }

  @Test
  void aClientWhoseDriverPausesForLongBeforeItConnectsAgainReportsAllTheSame() throws Exception {
    ClientResources resources =
        ClientResources.builder().reconnectDelay(Delay.constant(Duration.ofMinutes(1))).build();
    open.add(() -> resources.shutdown().sync());
    RedisClient driver = RedisClient.create(resources);
    open.add(driver::shutdown);
    driver.setOptions(
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .build());
    Lockkeeper holder =
        opened(
            client()
                .connect(
                    RedisStores.from(driver, RedisURI.create(server.url()))
                        .withQuarantine(Delays.millis(3_000))));
    Lease held = held(holder);
    server.restart(RedisServer.Data.LOST);

    acquired(connected(ASK));

    assertThat(held.isValid()).isFalse();
  }

  @Test
  void aClientThatWaitsIsToldWhenTheQuarantineBecomesLonger() throws Exception {
    TcpProxy proxy = opened(new TcpProxy(RedisServer.HOST, server.port()));
    behind(proxy, client().lease(Duration.ofMinutes(2)));
    proxy.refuse();
    server.restart(RedisServer.Data.LOST);
    Lockkeeper keeper = connected(ASK);
    assertThat(keeper.admin().quarantine().orElseThrow().remaining())
        .isLessThan(Duration.ofMinutes(1));

    proxy.heal();

    awaitQuarantine(keeper, Duration.ofMinutes(1));
    assertThat(keeper.lock("a").tryLock()).isFalse();
    assertThat(log.lines().get(log.lines().size() - 1)).contains("for another 1"); // 120 s or less
  }

  private Lockkeeper behind(TcpProxy proxy, LockkeeperBuilder builder) {
    return opened(builder.connect("redis://127.0.0.1:" + proxy.port() + ASK));
  }

  @Test
  void aLongerLeaseThatIsReportedLaterLengthensTheWait() throws Exception {
    Lockkeeper first = opened(client().lease(Duration.ofSeconds(40)).connect(server.url() + ASK));
    // It learns of longer leases by its answers: the last must come before there is one.
    acquired(first).releaseAsync().toCompletableFuture().join();
    TcpProxy proxy = opened(new TcpProxy(RedisServer.HOST, server.port()));
    behind(proxy, client().lease(Duration.ofMinutes(2)));
    proxy.refuse();
    server.restart(RedisServer.Data.LOST);
    awaitQuarantine(first, Duration.ofSeconds(1));
    assertThat(first.admin().quarantine().orElseThrow().remaining())
        .isLessThan(Duration.ofMinutes(1));

    proxy.heal();

    await()
        .atMost(Delays.patience())
        .until(
            () -> {
              try (Lockkeeper look = client().connect(server.url() + ASK)) {
                return isLongerThan(look, Duration.ofMinutes(1));
              }
            });
  }

  private static void awaitQuarantine(Lockkeeper keeper, Duration atLeast) {
    await().atMost(Delays.patience()).until(() -> isLongerThan(keeper, atLeast));
  }

  private static boolean isLongerThan(Lockkeeper keeper, Duration time) {
    return keeper.admin().quarantine().filter(it -> it.remaining().compareTo(time) > 0).isPresent();
  }

  /** What the rule gives up: {@code docs/guide/promises.md} says so. */
  @Test
  void aHolderThatIsCutOffAndAloneIsNotWaitedForLongerThanTheQuarantine() throws Exception {
    TcpProxy proxy = opened(new TcpProxy(RedisServer.HOST, server.port()));
    Lease held = held(behind(proxy, client().lease(Duration.ofMinutes(2))));
    proxy.refuse();
    server.restart(RedisServer.Data.LOST);

    acquired(connected(ASK));

    assertThat(held.isValid()).isTrue();
    proxy.heal();
    await()
        .atMost(Delays.patience())
        .until(() -> !held.isValid()); // it is notified, long before its end
  }

  @Test
  void withAfterLossWaitAHolderThatIsCutOffAndAloneIsWaitedFor() throws Exception {
    String options = "?afterLoss=wait";
    TcpProxy proxy = opened(new TcpProxy(RedisServer.HOST, server.port()));
    Lockkeeper holder = opened(client().connect("redis://127.0.0.1:" + proxy.port() + options));
    Lease held = held(holder);
    proxy.refuse();
    server.restart(RedisServer.Data.LOST);

    acquired(connected(options));

    assertThat(held.isValid()).isFalse();
  }
}
