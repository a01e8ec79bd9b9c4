package io.lockkeeper.zookeeper;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceQuery;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.servers.fault.TcpProxy;
import io.lockkeeper.servers.fault.TcpProxy.Direction;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a grant is reported before its record has been read. */
@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
class EventGrantsTest {

  private static final ResourceId NAME = ResourceId.lock("n");
  private static final long ZXID = 0x100000007L;

  private static final class NoTasks implements Scheduler {

    @Override
    public Cancellable schedule(Runnable task, long delayNanos) {
      return () -> {};
    }

    @Override
    public void close() {}
  }

  /** Keeps the grants that are reported. */
  private static final class Told implements NotificationListener {

    private final List<Grant> grants = new CopyOnWriteArrayList<>();

    @Override
    public void granted(ResourceId resource, Grant grant) {
      grants.add(grant);
    }

    @Override
    public void contended(ResourceId resource) {}

    @Override
    public void revoked(ResourceId resource) {}

    @Override
    public void cellChanged(CellId cell) {}

    @Override
    public void reconnected() {}
  }

  private long now = 1_000_000_000_000L;
  private final Environment environment = new Environment(() -> now, NoTasks::new, new Random(1));
  private final StoreContext context =
      new StoreContext("c1", "test", "ns", Timings.DEFAULT, environment);
  private final ZooKeeperSettings settings = ZooKeeperUrl.parse("zookeeper://a:1");
  private final Connection connection = new Connection(settings, new NoSessions(), environment);
  private final OwnClaims mine = new OwnClaims();
  private final StepQueues turns = new StepQueues();
  private final Told told = new Told();
  private final EventGrants grants = grants();

  private EventGrants grants() {
    Paths paths = new Paths(settings.root(), "ns");
    RecentContention contention = new RecentContention();
    CasLoop steps =
        new CasLoop(
            connection,
            paths,
            context,
            new LeaseObservations(() -> now),
            mine,
            turns,
            () -> CompletableFuture.completedFuture(new Stat()));
    Notifications notifications =
        new Notifications(connection, paths, context, steps, mine, turns, contention);
    notifications.listen(told);
    return new EventGrants(
        context, steps, mine, turns, notifications.grants(), notifications, contention);
  }

  @AfterEach
  void close() {
    connection.close();
  }

  /** Puts a claim into the queue; returns the name of its node. */
  private String queued(ResourceId id, long claim) {
    ClaimRequest request = new ClaimRequest(id, claim, 30_000, 4, true, Share.EXCLUSIVE, "");
    String name = NodeName.of(true, "c1", 1, claim, request) + "0000000003";
    NodeName node = NodeName.parse(name);
    assertThat(node).isNotNull();
    mine.queued(id, claim, new OwnClaims.Place(node, OwnClaims.Place.arrival(5, 0), now));
    return name;
  }

  @Test
  void aClaimThatWaitsAloneIsGrantedByTheTransactionOfTheEvent() {
    String node = queued(NAME, 7);

    assertThat(grants.tell(NAME, 7, node, ZXID)).isTrue();

    Grant grant = told.grants.get(0);
    assertThat(grant.grant()).isEqualTo(7);
    assertThat(grant.claims()).containsExactly(7L);
    assertThat(grant.firstToken()).isEqualTo(ResourceRecord.firstToken(ZXID));
    assertThat(grant.lastToken()).isEqualTo(ResourceRecord.firstToken(ZXID) + 3);
    assertThat(grant.leaseMicros()).isEqualTo(1_000 * Timings.DEFAULT.claimDeadlineMillis());
    assertThat(grant.confirmed()).isFalse();
    assertThat(mine.held(NAME, 7)).isNotNull();
    assertThat(mine.place(NAME, 7)).isNull();
  }

  private void isNotTold(ResourceId id, long claim, String node, long zxid) {
    assertThat(grants.tell(id, claim, node, zxid)).isFalse();
    assertThat(told.grants).isEmpty();
    assertThat(mine.held(id, claim)).isNull();
  }

  @Test
  void aServerThatDoesNotTellTheTransactionHasTheRecordRead() {
    isNotTold(NAME, 7, queued(NAME, 7), -1);
  }

  @Test
  void severalClaimsMayBeGrantedTogether() {
    String node = queued(NAME, 7);
    queued(NAME, 8);

    isNotTold(NAME, 7, node, ZXID);
  }

  @Test
  void soMayOneWhoseAnswerWasLost() {
    String node = queued(NAME, 7);
    mine.doubt(NAME, 8);

    isNotTold(NAME, 7, node, ZXID);
  }

  @Test
  void soMayOneThatIsJustAskedFor() {
    String node = queued(NAME, 7);
    CompletableFuture<Boolean> asked = turns.inTurn(NAME, CompletableFuture::new);

    isNotTold(NAME, 7, node, ZXID);
    assertThat(asked).isNotDone();
  }

  @Test
  void tokensThatRunAheadOfTheTransactionsAreInTheRecordOnly() {
    String node = queued(NAME, 7);
    mine.tokensRunAhead();

    isNotTold(NAME, 7, node, ZXID);
  }

  @Test
  void whoHasWaitedLongCannotCountFromWhenItAsked() {
    String node = queued(NAME, 7);
    now += Timings.DEFAULT.claimDeadlineMillis() * 1_000_000 / 8;

    isNotTold(NAME, 7, node, ZXID);
  }

  @Test
  void sharesOfOneTransactionHaveTheirTokensOneAfterTheOther() {
    ResourceId semaphore = new ResourceId(ResourceKind.SEMAPHORE, "s");

    isNotTold(semaphore, 7, queued(semaphore, 7), ZXID);
  }

  @Test
  void aNodeOfAnEarlierPlaceSaysNothing() {
    queued(NAME, 7);

    isNotTold(NAME, 7, "another", ZXID);
  }

  /** On a real server the token of the event is the one that everybody reads in the record. */
  @Test
  @Timeout(120)
  void itsTokenIsThatOfTheRecord() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (ZooKeeperServer server = ZooKeeperServer.start();
        Lockkeeper one = Lockkeeper.connect(server.url());
        Lockkeeper two = Lockkeeper.connect(server.url())) {
      for (int round = 0; round < 40; round++) {
        DistributedLock held = round % 2 == 0 ? one.lock("n") : one.fairLock("n");
        DistributedLock wanted = round % 4 < 2 ? two.lock("n") : two.fairLock("n");
        held.lock();
        Future<?> waiting = thread.submit(() -> wanted.lock());
        await()
            .pollDelay(ZERO)
            .pollInterval(ofMillis(2))
            .until(() -> report(one).waiters().size() == 1);
        long before = held.token();
        held.unlock();

        waiting.get();
        long token = thread.submit(wanted::token).get();
        assertThat(token).isGreaterThan(before);
        assertThat(report(one).holders().get(0).token()).isEqualTo(token);
        thread.submit(() -> wanted.unlock()).get();
      }
    } finally {
      thread.shutdownNow();
    }
  }

  /** On a real server the event is enough: nothing more reaches the server before the grant. */
  @Test
  @Timeout(120)
  void theGrantIsToldWithoutAnotherRequest() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.start();
        TcpProxy proxy = new TcpProxy(ZooKeeperServer.HOST, server.port());
        Store holder = open("holder", server.url());
        Store waiter = open("waiter", "zookeeper://127.0.0.1:" + proxy.port())) {
      holder.listen(NotificationListener.silent());
      waiter.listen(told);
      Grant before = ((ClaimAnswer.Granted) claim(holder)).grant();
      assertThat(claim(waiter)).isInstanceOf(Queued.class);
      answer(waiter.inspect(NAME)); // behind all that the claim has sent
      proxy.swallow(Direction.TO_SERVER);

      answer(holder.release(new ReleaseRequest(NAME, 1, ReleaseRequest.UNKNOWN, null)));

      await().atMost(Delays.patience()).until(() -> !told.grants.isEmpty());
      assertThat(told.grants.get(0).firstToken()).isGreaterThan(before.lastToken());
    }
  }

  private static ClaimAnswer claim(Store store) throws Exception {
    Outcome<ClaimAnswer> outcome = answer(store.claim(new ClaimRequest(NAME, 1, 60_000, 1, true)));
    return ((Outcome.Answered<ClaimAnswer>) outcome).answer();
  }

  private static <T> T answer(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** Opens a store whose grants out of the queue last so long that no claim is old in this test. */
  private static Store open(String id, String url) {
    Environment environment = new Environment(System::nanoTime, Threads::scheduler, new Random(1));
    Timings timings = new Timings(5_000, 600_000, 60_000);
    return new ZooKeeperStoreProvider()
        .factory(url + "?connectTimeout=20s&sessionTimeout=20s")
        .open(new StoreContext(id, id, "ns", timings, environment));
  }

  private static ResourceReport report(Lockkeeper client) {
    return client.admin().inspect(ResourceQuery.prefix("n").limit(1)).get(0);
  }
}
