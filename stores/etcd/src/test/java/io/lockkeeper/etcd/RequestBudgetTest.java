package io.lockkeeper.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.servers.fault.TcpProxy;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operations cost, as the server counts it. */
@Tag(ServersTests.TAG)
class RequestBudgetTest {

  private static final String PATIENT = "?connectTimeout=1m";

  /** Returns how many requests the server has answered; those of open streams do not count. */
  private static long requests(EtcdServer server) {
    return server.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().startsWith("grpc_server_handled_total"))
        .filter(metric -> metric.getKey().contains("\"unary\""))
        .mapToLong(metric -> (long) Double.parseDouble(metric.getValue()))
        .sum();
  }

  @Test
  void lockAndUnlockAloneAreTwoRequests() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Lockkeeper client = Lockkeeper.connect(server.url() + PATIENT)) {
      DistributedLock lock = client.fairLock("n");
      lock.acquire().close();
      long before = requests(server);
      for (int i = 0; i < 200; i++) {
        lock.acquire().close();
      }
      double each = (requests(server) - before) / 200.0;
      System.out.println("lock and unlock alone: " + each + " requests");

      assertThat(each).isLessThan(2.1);
    }
  }

  /** Whatever the other has done with a name, a client takes it without having read it. */
  @Test
  void lockAndUnlockAreTwoRequestsAlsoForClientsThatTakeTurnsAndForNewNames() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Lockkeeper a = Lockkeeper.connect(server.url() + PATIENT);
        Lockkeeper b = Lockkeeper.connect(server.url() + PATIENT)) {
      a.lock("first").acquire().close();
      b.lock("first").acquire().close();
      awaitQuiet(server);
      long before = requests(server);
      for (int i = 0; i < 100; i++) {
        (i % 2 == 0 ? a : b).lock("shared").acquire().releaseAsync().toCompletableFuture().join();
        a.lock("new" + i).acquire().releaseAsync().toCompletableFuture().join();
      }

      assertThat(requests(server) - before).isEqualTo(400);
    }
  }

  /** Requests wait for answers as long as a test never does. */
  @Test
  void ofLockAndUnlockAloneOnlyTheLockIsWaitedFor() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        TcpProxy proxy = new TcpProxy(server.address(), server.port());
        Lockkeeper client =
            Lockkeeper.builder()
                .lease(Duration.ofHours(1))
                .connect("etcd://127.0.0.1:" + proxy.port() + PATIENT + "&timeout=60m")) {
      client.fairLock("n").acquire().close();
      awaitQuiet(server);
      long before = requests(server);

      Lease held = client.fairLock("n").acquire();

      assertThat(requests(server) - before).isEqualTo(1);
      proxy.swallow(TcpProxy.Direction.TO_CLIENT);
      CompletableFuture.runAsync(held::close)
          .get(Delays.patience().toSeconds(), SECONDS); // no answer comes
      proxy.heal();
    }
  }

  @Test
  void anIdleClientSendsOnlyItsKeepAlive() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Lockkeeper client = Lockkeeper.connect(server.url() + PATIENT + "&sessionTimeout=2s")) {
      DistributedLock lock = client.lock("n");
      lock.acquire().close();
      awaitQuiet(server);
      long before = requests(server);
      double kept = keptAlive(server);

      await().atMost(Delays.patience()).until(() -> keptAlive(server) >= kept + 4);
      assertThat(requests(server)).isEqualTo(before);
    }
  }

  private static void awaitQuiet(EtcdServer server) {
    long[] last = {-1};
    await()
        .pollInterval(Duration.ofSeconds(2))
        .atMost(Delays.patience())
        .until(() -> last[0] == (last[0] = requests(server)));
  }

  private static double keptAlive(EtcdServer server) {
    return server.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().startsWith("grpc_server_msg_received_total"))
        .filter(metric -> metric.getKey().contains("LeaseKeepAlive"))
        .mapToDouble(metric -> Double.parseDouble(metric.getValue()))
        .sum();
  }

  @Test
  void aHundredLeasesAreRenewedWithOneRequest() throws Exception {
    assertThatOneRequestRenews(i -> ResourceId.lock("n" + i), 100);
  }

  @Test
  void aHundredPermitsOfOneSemaphoreAreRenewedWithOneRequest() throws Exception {
    assertThatOneRequestRenews(i -> new ResourceId(ResourceKind.SEMAPHORE, "n"), 100);
  }

  private static void assertThatOneRequestRenews(IntFunction<ResourceId> resource, int count)
      throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Store store = open(factory(server), "budget", "a", new LinkedBlockingQueue<>())) {
      List<RenewRequest> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ResourceId id = resource.apply(i);
        Grant grant = ((ClaimAnswer.Granted) claim(store, id, i + 1)).grant();
        all.add(new RenewRequest(id, grant.grant(), 1_200_000));
      }
      long before = requests(server);

      List<Outcome<RenewAnswer>> renewed = store.renew(all).toCompletableFuture().get(30, SECONDS);

      assertThat(renewed)
          .hasSize(count)
          .allMatch(Outcome.answered(new RenewAnswer(true, false))::equals);
      assertThat(requests(server) - before).isEqualTo(1);
    }
  }

  @Test
  void aPollIsOneRequestAndWritesNothing() throws Exception {
    BlockingQueue<Grant> none = new LinkedBlockingQueue<>();
    try (EtcdServer server = EtcdServer.start();
        Store holder = open(factory(server), "budget", "a", none);
        Store waiter = open(factory(server), "budget", "b", none)) {
      ResourceId lock = ResourceId.lock("n");
      claim(holder, lock, 1);
      claim(waiter, lock, 1);
      awaitQuiet(server); // both are in the directory
      long before = requests(server);
      String written = server.metrics().get("etcd_debugging_mvcc_put_total");

      for (int i = 0; i < 10; i++) {
        waiter.poll(List.of(new PollRequest(lock, 1))).toCompletableFuture().get(30, SECONDS);
      }

      assertThat(requests(server) - before).isEqualTo(10);
      assertThat(server.metrics().get("etcd_debugging_mvcc_put_total")).isEqualTo(written);
    }
  }

  @Test
  void aHandOffCostsTheSameHoweverManyWait() throws Exception {
    try (EtcdServer server = EtcdServer.start()) {
      double few = handOff(server, 11); // an odd number, so that no client hands off to itself
      double many = handOff(server, 301);
      System.out.println("a hand-off: 11 waiting " + few + ", 301 waiting " + many + " requests");

      assertThat(few).isLessThan(3.2);
      assertThat(many).isLessThan(3.2);
    }
  }

  /** Hands a lock off between two clients whose claims wait in turn; each comes back at the end. */
  private static double handOff(EtcdServer server, int waiting) throws Exception {
    int rounds = 100;
    String namespace = "budget-" + UUID.randomUUID();
    BlockingQueue<Grant> granted = new LinkedBlockingQueue<>();
    StoreFactory factory = factory(server);
    ResourceId lock = ResourceId.lock("r");
    try (Store a = open(factory, namespace, "a", granted);
        Store b = open(factory, namespace, "b", granted)) {
      Deque<Store> line = new ArrayDeque<>();
      long claim = 0;
      for (int i = 0; i <= waiting; i++) {
        Store store = i % 2 == 0 ? a : b;
        ClaimAnswer answer = claim(store, lock, claim++);
        line.add(store);
        if (answer instanceof ClaimAnswer.Granted first) {
          granted.add(first.grant());
        }
      }
      long before = requests(server);
      for (int i = 0; i < rounds; i++) {
        Grant grant = granted.poll(30, SECONDS);
        assertThat(grant).isNotNull();
        Store holder = line.remove();
        var unused =
            holder.release(new ReleaseRequest(lock, grant.grant(), grant.lastToken(), null));
        claim(holder, lock, claim++);
        line.add(holder);
      }
      return (requests(server) - before) / (double) rounds;
    }
  }

  private static StoreFactory factory(EtcdServer server) {
    return new EtcdStoreProvider().factory(server.url());
  }

  private static ClaimAnswer claim(Store store, ResourceId lock, long number) throws Exception {
    Outcome<ClaimAnswer> outcome =
        store
            .claim(new ClaimRequest(lock, number, 600_000, 1, true, share(lock)))
            .toCompletableFuture()
            .get(30, SECONDS);
    return ((Outcome.Answered<ClaimAnswer>) outcome).answer();
  }

  private static Share share(ResourceId resource) {
    return resource.kind().isExclusive() ? Share.EXCLUSIVE : new Share(1, 100, false);
  }

  private static Store open(
      StoreFactory factory, String namespace, String id, BlockingQueue<Grant> granted) {
    Environment environment = new Environment(System::nanoTime, Threads::scheduler, new Random(1));
    Store store =
        factory.open(
            new StoreContext(id, id, namespace, new Timings(5_000, 60_000, 60_000), environment));
    store.listen(
        (NotificationListener)
            Proxy.newProxyInstance(
                NotificationListener.class.getClassLoader(),
                new Class<?>[] {NotificationListener.class},
                (proxy, method, args) -> {
                  if (method.getName().equals("granted")) {
                    granted.add((Grant) args[1]);
                  }
                  return null;
                }));
    return store;
  }
}
