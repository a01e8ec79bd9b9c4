package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Threads;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A step that others were quicker than, several times. The engine counts a lease from its question;
 * that of a grant begins with the attempt that was not lost, so the time until then is added to it:
 * else who meets much contention would have its lease end before it could renew it. In these tests
 * others are quicker exactly when the test says so, and each lost race takes a second of a clock
 * that nobody waits for.
 */
@Timeout(120)
class LostRacesTest {

  private static final ResourceId RESOURCE = new ResourceId(ResourceKind.SEMAPHORE, "s");
  private static final int LEASE_MILLIS = 30_000;
  private static final long SECOND_NANOS = 1_000_000_000;

  private final String namespace = "races-" + UUID.randomUUID();
  private final StoreFactory factory =
      new ZooKeeperStoreProvider().factory(SharedServer.running().url() + "?connectTimeout=20s");

  private StoreContext context(String id, TimeSource time) {
    Environment environment = new Environment(time, Threads::scheduler, new Random(1));
    return new StoreContext(id, id, namespace, new Timings(5_000, 60_000, 60_000), environment);
  }

  private static ClaimRequest request(long claim) {
    return new ClaimRequest(
        RESOURCE, claim, LEASE_MILLIS, 1, false, new Share(1, 3, false), "test");
  }

  private static <T> T answer(CompletionStage<Outcome<T>> stage) throws Exception {
    Outcome<T> outcome = stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    return ((Outcome.Answered<T>) outcome).answer();
  }

  private static Grant granted(Store store) throws Exception {
    return ((ClaimAnswer.Granted) answer(store.claim(request(1)))).grant();
  }

  @Test
  void aLeaseBeginsWithTheAttemptThatWasNotLost() throws Exception {
    Rival rival = new Rival();
    try (Store other = factory.open(context("other", System::nanoTime));
        Store slow = factory.open(context("slow", rival))) {
      granted(other);
      rival.rush(12, () -> renew(other));
      long askedNanos = rival.nanos();

      Grant grant = granted(slow);

      long tookMicros = (rival.nanos() - askedNanos) / 1_000;
      assertThat(rival.left.get()).isZero();
      assertThat(grant.leaseMicros() - LEASE_MILLIS * 1_000L)
          .as("what is added to the lease, of the time since the question")
          .isBetween(11_000_000L, tookMicros);
    }
  }

  private static void renew(Store store) {
    try {
      List<Outcome<RenewAnswer>> renewed =
          store
              .renew(List.of(new RenewRequest(RESOURCE, 1, LEASE_MILLIS)))
              .toCompletableFuture()
              .get(60, TimeUnit.SECONDS);
      assertThat(renewed.get(0)).isInstanceOf(Outcome.Answered.class);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** A clock on which a second goes by with each decision, in which somebody else is quicker. */
  private static final class Rival implements TimeSource {

    final AtomicInteger left = new AtomicInteger();
    private final AtomicLong ahead = new AtomicLong();
    private volatile Runnable quicker = () -> {};

    void rush(int times, Runnable action) {
      quicker = action;
      left.set(times);
    }

    /** The time is asked for between reading and writing, and elsewhere. */
    @Override
    public long nanos() {
      if (left.get() > 0 && isDeciding()) {
        left.decrementAndGet();
        ahead.addAndGet(SECOND_NANOS);
        quicker.run();
      }
      return System.nanoTime() + ahead.get();
    }

    private static boolean isDeciding() {
      return StackWalker.getInstance()
          .walk(
              frames ->
                  frames.anyMatch(
                      frame ->
                          frame.getClassName().equals(CasLoop.class.getName())
                              && frame.getMethodName().equals("decide")));
    }
  }

  @Test
  void allTheTimeOfThreeLostRacesIsAddedAndThatOfFewerIsNone() throws Exception {
    assertThat(addedSeconds(0)).isZero();
    assertThat(addedSeconds(2)).isZero(); // a wrong guess and a lost race are usual
    assertThat(addedSeconds(3)).isEqualTo(3);
    assertThat(addedSeconds(7)).isEqualTo(7);
  }

  /** Has a client lose so many races, and returns what is added to its lease. */
  private long addedSeconds(int lostRaces) throws Exception {
    ResourceId id = new ResourceId(ResourceKind.SEMAPHORE, "after " + lostRaces);
    RawTree tree = RawTree.of(SharedServer.running());
    AtomicLong clock = new AtomicLong(1);
    StoreContext context = context("racer", clock::get);
    ZooKeeperSettings settings = ZooKeeperUrl.parse(SharedServer.running().url());
    try (Connection connection = Connection.open(settings, context.environment())) {
      Paths paths = new Paths(settings.root(), namespace);
      OwnClaims mine = new OwnClaims();
      CasLoop steps =
          new CasLoop(
              connection,
              paths,
              context,
              new LeaseObservations(System::nanoTime),
              mine,
              new StepQueues(),
              () -> new CompletableFuture<>());
      Grants grants = new Grants(steps, mine);
      steps.step(id, CasLoop.Want.ABSENT, LostRacesTest::keptForGood).get(60, TimeUnit.SECONDS);
      AtomicInteger left = new AtomicInteger(lostRaces);
      Grant grant =
          steps
              .step(
                  id,
                  CasLoop.Want.ALL,
                  draft -> {
                    Entry entry = draft.grantAtOnce(request(2));
                    if (left.getAndDecrement() > 0) {
                      String path = paths.resource(id);
                      tree.write(path, tree.data(path).getBytes(StandardCharsets.UTF_8));
                      clock.addAndGet(SECOND_NANOS);
                    }
                    return done -> grants.written(id, written(done, entry), done);
                  })
              .get(60, TimeUnit.SECONDS);
      assertThat(left.get()).isNegative();
      return (grant.leaseMicros() - LEASE_MILLIS * 1_000L) / 1_000_000;
    }
  }

  /** Makes a record that stays. */
  private static Function<CasLoop.Done, Boolean> keptForGood(ResourceTransaction draft) {
    draft.resize(new ResizeRequest(ResourceId.lock("r"), 1, ResizeRequest.Kind.SET, 3, 3, 60_000));
    return done -> true;
  }

  private static Entry written(CasLoop.Done done, Entry entry) {
    Entry found = done.find(entry.node().client(), entry.grant());
    assertThat(found).isNotNull();
    return found;
  }
}
