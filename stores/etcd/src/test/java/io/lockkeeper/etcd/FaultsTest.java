package io.lockkeeper.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.Client;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceQuery;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.servers.EtcdEnsemble;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.servers.fault.TcpProxy;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that fail, leases that are revoked, histories that are compacted, full disks. */
@Tag(ServersTests.TAG)
@Tag("full")
class FaultsTest {

  private static final NotificationListener NOBODY =
      (NotificationListener)
          Proxy.newProxyInstance(
              NotificationListener.class.getClassLoader(),
              new Class<?>[] {NotificationListener.class},
              (proxy, method, args) -> null);

  private static Lockkeeper client(String url) {
    return Lockkeeper.builder().lease(Duration.ofSeconds(60)).connect(url);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /** Asserts that a lock goes on to another client, with a larger token. */
  private static void assertThatItGoesOn(Lease held, Lockkeeper other) throws Exception {
    CompletableFuture<Lease> next = acquiring(other);
    assertThat(held.isValid()).isTrue();
    held.close();
    try (Lease taken = next.get(Delays.patience().toSeconds(), TimeUnit.SECONDS)) {
      assertThat(taken.token()).isGreaterThan(held.token());
    }
  }

  @Test
  void aServerThatIsKilledAndComesBackTakesNoLock() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Lockkeeper holder = client(server.url());
        Lockkeeper other = client(server.url())) {
      Lease held = holder.lock("n").acquire();
      server.kill();
      server.restart();

      assertThatItGoesOn(held, other);
    }
  }

  @Test
  void aLockThatIsHeldOutlivesTheLeader() throws Exception {
    try (EtcdEnsemble ensemble = EtcdEnsemble.start();
        Lockkeeper holder = client(ensemble.url());
        Lockkeeper other = client(ensemble.url())) {
      Lease held = holder.lock("n").acquire();
      ensemble.leader().kill();
      ensemble.leader();

      assertThatItGoesOn(held, other);
    }
  }

  @Test
  void aMemberThatStandsStillStopsNobody() throws Exception {
    try (EtcdEnsemble ensemble = EtcdEnsemble.start();
        Lockkeeper holder = client(ensemble.url());
        Lockkeeper other = client(ensemble.url())) {
      Lease held = holder.lock("n").acquire();
      EtcdServer member = ensemble.followers().get(0);
      member.freeze();
      try {
        assertThatItGoesOn(held, other);
      } finally {
        member.thaw();
      }
    }
  }

  @Test
  void withoutAMajorityALeaseEndsAtItsHolderAndTheLockWorksAgainAfterwards() throws Exception {
    try (EtcdEnsemble ensemble = EtcdEnsemble.start();
        Lockkeeper holder =
            Lockkeeper.builder().lease(Duration.ofSeconds(3)).connect(ensemble.url())) {
      Lease lease = holder.lock("n").acquire();
      CompletableFuture<Boolean> lost = new CompletableFuture<>();
      lease.onLost(loss -> lost.complete(true));
      List<EtcdServer> victims = ensemble.servers().subList(0, 2);
      victims.forEach(EtcdServer::kill);

      assertThat(lost.get(60, TimeUnit.SECONDS)).isTrue();
      assertThat(lease.isValid()).isFalse();
      victims.parallelStream().forEach(EtcdServer::restart);
      await()
          .atMost(Delays.patience())
          .ignoreException(StoreUnavailableException.class)
          .untilAsserted(() -> holder.lock("n").acquire().close());
    }
  }

  @Test
  void connectionsThatBreakOrFallSilentAreReplaced() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        TcpProxy proxy = new TcpProxy(server.address(), server.port());
        Lockkeeper holder =
            Lockkeeper.builder()
                .lease(Duration.ofSeconds(5))
                .connect("etcd://127.0.0.1:" + proxy.port());
        Lockkeeper other = client(server.url())) {
      Lease held = holder.lock("n").acquire();
      proxy.reset();
      assertThatItGoesOn(held, other);

      Lease again = acquired(holder.lock("n"));
      proxy.swallow(TcpProxy.Direction.TO_CLIENT);
      CompletableFuture<Lease> next = acquiring(other);
      // The answer is lost: of the release, or of an attempt that another change was faster than.
      again.close();
      next.get(Delays.patience().toSeconds(), TimeUnit.SECONDS).close();
      proxy.heal();
      acquired(holder.lock("n")).close();
    }
  }

  private static CompletableFuture<Lease> acquiring(Lockkeeper client) {
    return client.lock("n").acquireAsync().toCompletableFuture();
  }

  private static int waiters(Lockkeeper client) {
    return client.admin().inspect(ResourceKind.LOCK, "n").waiters().size();
  }

  private static Lease acquired(DistributedLock lock) {
    return await()
        .atMost(Delays.patience())
        .ignoreException(StoreUnavailableException.class)
        .until(lock::acquire, Lease::isValid);
  }

  /** etcd 11456: a waiter was notified that it had the lock, though its session was gone. */
  @Test
  void revokedEtcdLeasesTakeNoLockAndGiveNone() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Lockkeeper holder = client(server.url());
        Lockkeeper waiter = client(server.url());
        Lockkeeper other = client(server.url())) {
      Lease held = holder.lock("n").acquire();
      CompletableFuture<Lease> next = acquiring(waiter);
      await().atMost(Delays.patience()).until(() -> waiters(other) == 1);

      server.revokeLeases();

      // The place of the waiter was its session's: it comes again by itself.
      await().atMost(Delays.patience()).until(() -> waiters(other) == 1);
      assertThat(held.isValid()).isTrue();
      assertThat(next).isNotDone();
      assertThat(other.lock("n").tryLock()).isFalse();
      held.close();
      try (Lease taken = next.get(Delays.patience().toSeconds(), TimeUnit.SECONDS)) {
        assertThat(taken.token()).isGreaterThan(held.token());
      }
    }
  }

  /** jetcd 291: a call without an answer has to end. */
  @Test
  void whoWaitsWhileTheServerStandsStillIsToldInTime() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Lockkeeper client = client(server.url() + "?timeout=2s")) {
      client.lock("n").acquire().close();
      server.freeze();
      try {
        assertThat(catchThrowableOfType(StoreUnavailableException.class, client.lock("m")::acquire))
            .isNotNull();
      } finally {
        server.thaw();
      }
      acquired(client.lock("m")).close();
    }
  }

  /** etcd 10811, jetcd 1036: watches that do not come back after a compaction. */
  @Test
  void aWatchWhoseNextEventsWereCompactedIsBegunAnew() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        TcpProxy proxy = new TcpProxy(server.address(), server.port());
        Lockkeeper waiter = client("etcd://127.0.0.1:" + proxy.port());
        Lockkeeper other = client(server.url())) {
      Lease held = other.lock("n").acquire();
      CompletableFuture<Lease> next = acquiring(waiter);
      await().atMost(Delays.patience()).until(() -> waiters(other) == 1);
      proxy.refuse();
      String put = "{\"key\":\"" + base64("x") + "\",\"value\":\"" + base64("x") + "\"}";
      for (int i = 0; i < 20; i++) {
        server.post("/v3/kv/put", put);
      }
      server.compact();
      proxy.heal();

      held.close();
      next.get(Delays.patience().toSeconds(), TimeUnit.SECONDS).close();
      assertThatItGoesOn(other.lock("n").acquire(), waiter);
    }
  }

  @Test
  void aQuotaThatIsUsedUpIsNamedAndTakesNoLock() throws Exception {
    try (EtcdServer server = EtcdServer.builder().option("quota-backend-bytes", "2000000").start();
        Lockkeeper client = client(server.url())) {
      Lease held = client.lock("held").acquire();
      fill(server);

      // Those who are there go on until they need another lease of etcd's; others cannot begin.
      StoreRefusedException full;
      try (Lockkeeper late = client(server.url())) {
        full = catchThrowableOfType(StoreRefusedException.class, late.lock("n")::acquire);
      }

      assertThat(findings(server.url()))
          .anyMatch(
              found -> found.verdict() == Finding.Verdict.FAIL && found.subject().equals("space"));
      assertThat(full.problem()).isEqualTo(StoreProblem.FULL);
      assertThat(full).hasMessageContaining("database space exceeded");
      assertThat(held.isValid()).isTrue();
      makeRoom(server);
      assertThat(held.isValid()).isTrue();
      held.close();
      await()
          .atMost(Delays.patience())
          .ignoreException(StoreRefusedException.class)
          .untilAsserted(() -> client.lock("n").acquire().close());
    }
  }

  private static List<Finding> findings(String url) {
    return new EtcdStoreProvider().doctor(url).orElseThrow().examine(context("doctor", 60_000));
  }

  private static void fill(EtcdServer server) {
    String large = base64("x".repeat(100_000));
    try {
      for (int i = 0; i < 200; i++) {
        server.post(
            "/v3/kv/put", "{\"key\":\"" + base64("fill") + "\",\"value\":\"" + large + "\"}");
      }
    } catch (IllegalStateException full) {
      assertThat(full).hasMessageContaining("space exceeded");
    }
    await() // the servers agree on it
        .atMost(Delays.patience())
        .until(
            () -> server.post("/v3/maintenance/alarm", "{\"action\":\"GET\"}").contains("NOSPACE"));
  }

  private static void makeRoom(EtcdServer server) {
    server.post("/v3/kv/deleterange", "{\"key\":\"" + base64("fill") + "\"}");
    server.compact();
    server.post("/v3/maintenance/defragment", "{}");
    String alarms = server.post("/v3/maintenance/alarm", "{\"action\":\"GET\"}");
    var member = Pattern.compile("\"memberID\":\"(\\d+)\"").matcher(alarms);
    assertThat(member.find()).isTrue();
    server.post(
        "/v3/maintenance/alarm",
        "{\"action\":\"DEACTIVATE\",\"alarm\":\"NOSPACE\",\"memberID\":\""
            + member.group(1)
            + "\"}");
  }

  @Test
  void whoHasNoRightsIsToldWhichAndWhoHasThemIsNot() throws Exception {
    try (EtcdServer server = EtcdServer.start()) {
      for (String user : List.of("root", "app", "nobody")) {
        server.post("/v3/auth/user/add", "{\"name\":\"" + user + "\",\"password\":\"s3cret\"}");
      }
      server.post("/v3/auth/role/add", "{\"name\":\"root\"}");
      server.post("/v3/auth/user/grant", "{\"user\":\"root\",\"role\":\"root\"}");
      server.post("/v3/auth/role/add", "{\"name\":\"locks\"}");
      server.post(
          "/v3/auth/role/grant",
          "{\"name\":\"locks\",\"perm\":{\"permType\":\"READWRITE\",\"key\":\""
              + base64("lockkeeper/")
              + "\",\"range_end\":\""
              + base64("lockkeeper0")
              + "\"}}");
      server.post("/v3/auth/user/grant", "{\"user\":\"app\",\"role\":\"locks\"}");
      server.post("/v3/auth/enable", "{}");

      try (Lockkeeper client = client("etcd://app:s3cret@" + server.connectString());
          Lockkeeper other = client("etcd://app:s3cret@" + server.connectString())) {
        assertThatEverythingIsAllowed(client, other);
      }
      assertThat(findings("etcd://app:s3cret@" + server.connectString()))
          .anyMatch(
              found -> found.verdict() == Finding.Verdict.OK && found.subject().equals("rights"));
      assertThat(refusal("etcd://nobody:s3cret@" + server.connectString()))
          .contains("'nobody'", "lockkeeper/")
          .doesNotContain("s3cret");
      assertThat(refusal("etcd://app:wr0ng@" + server.connectString()))
          .contains("login of user 'app' failed")
          .doesNotContain("wr0ng");
      assertThat(refusal(server.url())).contains("denies");

      try (Lockkeeper client = client("etcd://app:s3cret@" + server.connectString())) {
        client.lock("n").acquire().close();
        changePassword(server, "app");
        server.kill(); // which forgets who is logged in
        server.restart();
        assertThatThrownBy(() -> client.lock("n").acquire().close())
            .isInstanceOf(StoreRefusedException.class)
            .hasMessageContaining("login of user 'app' failed");
      }
    }
  }

  private static void changePassword(EtcdServer server, String user) {
    try (Client root =
        Client.builder()
            .endpoints("http://" + server.connectString())
            .user(EtcdKeys.bytes("root"))
            .password(EtcdKeys.bytes("s3cret"))
            .build()) {
      root.getAuthClient()
          .userChangePassword(EtcdKeys.bytes(user), EtcdKeys.bytes("an0ther"))
          .join();
    }
  }

  /** Every kind of request: transactions, a watch that wakes a waiter, leases, ranges. */
  private static void assertThatEverythingIsAllowed(Lockkeeper client, Lockkeeper other)
      throws Exception {
    Lease held = client.lock("n").acquire();
    CompletableFuture<Lease> next = acquiring(other);
    await().atMost(Delays.patience()).until(() -> waiters(client) == 1);
    assertThat(client.admin().inspect(ResourceQuery.prefix("n").limit(10))).hasSize(1);
    held.close();
    next.get(Delays.patience().toSeconds(), TimeUnit.SECONDS).close();
    client.semaphore("s", 2).acquire().release();
    assertThat(client.counter("c").incrementAndGet()).isEqualTo(1);
    assertThat(other.counter("c").get()).isEqualTo(1);
    assertThat(other.admin().cells(ResourceQuery.all().limit(10))).hasSize(1);
  }

  private static String refusal(String url) {
    StoreRefusedException refused =
        catchThrowableOfType(StoreRefusedException.class, () -> client(url).close());
    assertThat(refused).isNotNull();
    assertThat(refused.problem()).isEqualTo(StoreProblem.DENIED);
    return String.valueOf(refused.getMessage());
  }

  @Test
  void tlsNeedsTheRightCertificate() throws Exception {
    try (EtcdServer server = EtcdServer.builder().tls().start()) {
      String pem = String.valueOf(Objects.requireNonNull(server.certificate()).certificatePem());
      try (Lockkeeper client = client(server.url() + "?ca=" + pem)) {
        client.lock("n").acquire().close();
      }
      assertThat(
              catchThrowableOfType(
                  StoreUnavailableException.class,
                  () -> client(server.url() + "?connectTimeout=5s").close()))
          .isNotNull();
    }
  }

  @Test
  void aFileThatIsNotThereIsNamedWithItsParameter() {
    assertThat(
            catchThrowableOfType(
                StoreUnavailableException.class,
                () -> client("etcds://127.0.0.1:1?ca=/no/such.pem").close()))
        .hasMessageContaining("the file /no/such.pem that ca names does not exist");
  }

  @Test
  void filesThatWereRenewedAreReadForANewConnection() throws Exception {
    Path file = Files.createTempFile("ca", ".pem");
    try (EtcdServer before = EtcdServer.builder().tls().start();
        EtcdServer after = EtcdServer.builder().tls().start();
        TcpProxy proxy = new TcpProxy(before.address(), before.port())) {
      Files.writeString(file, certificate(before));
      String url = "etcds://127.0.0.1:" + proxy.port() + "?timeout=1s&ca=" + file;
      try (Lockkeeper keeper = client(url)) {
        keeper.lock("n").acquire().close();

        Files.writeString(file, certificate(after));
        proxy.leadTo(after.address(), after.port());
        proxy.reset();

        await()
            .atMost(Delays.patience())
            .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
            .untilAsserted(() -> keeper.lock("n").acquire().close());
      }
    } finally {
      Files.delete(file);
    }
  }

  private static String certificate(EtcdServer server) throws IOException {
    return Files.readString(Objects.requireNonNull(server.certificate()).certificatePem());
  }

  @Test
  void aServerThatWantsClientsCertificatesIsShownTheOneThatTheUrlNames() throws Exception {
    try (EtcdServer server = EtcdServer.builder().clientCertificates().start()) {
      var made = Objects.requireNonNull(server.certificate());
      String url = server.url() + "?connectTimeout=5s&ca=" + made.certificatePem();

      String with = url + "&cert=" + made.certificatePem() + "&key=" + made.keyPem();
      try (Lockkeeper holder = client(with);
          Lockkeeper other = client(with)) {
        assertThatItGoesOn(holder.lock("n").acquire(), other);
      }
      assertThat(catchThrowableOfType(StoreUnavailableException.class, () -> client(url).close()))
          .isNotNull();
    }
  }

  @Test
  void whatSeesAMarkThatWasWrittenAnewCanNoLongerSucceed() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        TcpProxy proxy = new TcpProxy(server.address(), server.port())) {
      EtcdSettings settings = EtcdUrl.parse("etcd://127.0.0.1:" + proxy.port() + "?timeout=2s");
      RecordStore port =
          new EtcdRecordStore(
              Client.builder().endpoints(settings.endpoints().toArray(String[]::new)).build(),
              true,
              settings.options(),
              context("a", 60_000),
              RecordClock.own(System::nanoTime));
      try {
        commitUntilWritten(port, server, "k1");
        long first = RawKeys.of(server).revision("lockkeeper/s/a");
        proxy.swallow(TcpProxy.Direction.TO_CLIENT);
        commit(port, "k2"); // its answer is lost
        proxy.heal();
        proxy.reset();

        commitUntilWritten(port, server, "k3");
        assertThat(RawKeys.of(server).revision("lockkeeper/s/a")).isGreaterThan(first);
      } finally {
        port.close();
      }
    }
  }

  private static void commitUntilWritten(RecordStore port, EtcdServer server, String key) {
    await()
        .atMost(Delays.patience())
        .untilAsserted(
            () -> {
              commit(port, key);
              assertThat(RawKeys.of(server).below("lockkeeper/h/")).contains("lockkeeper/h/" + key);
            });
  }

  private static void commit(RecordStore port, String key) throws Exception {
    Change change = new Change(key, Change.ANY_ABSENCE, "head", List.of(), List.of(), List.of());
    var unused = port.commit(List.of(change)).toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @Test
  void closingReturnsWhenTheThreadsHaveEnded() throws Exception {
    try (EtcdServer server = EtcdServer.start()) {
      Set<Thread> before = Thread.getAllStackTraces().keySet();
      Lockkeeper keeper = client(server.url());
      keeper.lock("n").acquire().close();
      List<Thread> its =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> !before.contains(thread))
              .filter(thread -> thread.getName().matches("(vert|jetcd|lockkeeper).*"))
              .toList();
      assertThat(its).isNotEmpty();

      keeper.close();

      for (Thread thread : its) {
        thread.join(Delays.millis(100).toMillis()); // it may be in its last instructions
      }
      assertThat(its).noneMatch(Thread::isAlive);
    }
  }

  @Test
  void nothingIsLeftAfterUse() throws Exception {
    try (EtcdServer server = EtcdServer.start()) {
      Store store =
          EtcdStores.of(EtcdUrl.parse(server.url() + "?sessionTimeout=2s"))
              .open(context("a", 1_000));
      store.listen(NOBODY);
      ResourceId lock = ResourceId.lock("n");
      var answer =
          store
              .claim(new ClaimRequest(lock, 1, 60_000, 1, true))
              .toCompletableFuture()
              .get(60, TimeUnit.SECONDS);
      Grant grant = ((ClaimAnswer.Granted) ((Outcome.Answered<?>) answer).answer()).grant();
      store
          .release(new ReleaseRequest(lock, grant.grant(), grant.lastToken(), null))
          .toCompletableFuture()
          .get(60, TimeUnit.SECONDS);
      assertThat(RawKeys.of(server).below("lockkeeper/")).isNotEmpty();
      store.close();

      await()
          .atMost(Delays.patience())
          .untilAsserted(() -> assertThat(RawKeys.of(server).below("lockkeeper/")).isEmpty());
      await().atMost(Delays.patience()).untilAsserted(() -> assertThat(server.leases()).isEmpty());
      assertThat(server.metrics().get("etcd_debugging_mvcc_watcher_total")).isEqualTo("0");
    }
  }

  private static StoreContext context(String id, long tombstoneMillis) {
    return new StoreContext(
        id,
        "test client",
        "faults",
        new Timings(5_000, 1_000, tombstoneMillis),
        new Environment(System::nanoTime, Threads::scheduler, new Random(1)));
  }
}
