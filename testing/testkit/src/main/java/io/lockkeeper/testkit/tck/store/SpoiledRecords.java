package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The behaviour of a store whose records have been changed by others: real records, each with one
 * to three random changes made behind the store's back, and every operation on them.
 *
 * <p>Every operation ends in an answer, or in a refusal that names the record. None leaves it open
 * whether it would do better the next time, none harms another resource that is asked about in the
 * same request, and no thread of the store dies of it.
 */
@Timeout(600)
public abstract class SpoiledRecords {

  private static final long LEASE_MILLIS = 60_000;
  private static final List<ResourceKind> KINDS = List.of(ResourceKind.values());
  private static final List<CellKind> CELL_KINDS = List.of(CellKind.values());
  private static final String HEALTHY_NAME = "healthy";
  private static final ResourceId HEALTHY = ResourceId.lock(HEALTHY_NAME);
  private static final ResourceId HEALTHY_SEMAPHORE =
      new ResourceId(ResourceKind.SEMAPHORE, HEALTHY_NAME);
  private static final CellId HEALTHY_CELL = new CellId(CellKind.COUNTER, HEALTHY_NAME);

  /** A spoiled record: whose name it must be, and how it was spoiled. */
  private record Victim(String name, String history) {}

  private final long seed = Long.getLong("lockkeeper.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final String namespace = "spoiled-" + newId();
  private final AtomicLong numbers = new AtomicLong(1_000);
  private final Queue<String> uncaught = new ConcurrentLinkedQueue<>();

  /** Returns the way to the store under test. */
  protected abstract StoreFactory factory();

  /**
   * Changes one thing of what is stored under this name, whatever is stored there: locks, what is
   * shared, cells.
   *
   * @return what was changed, for people; or an empty text if nothing was
   */
  protected abstract String spoil(String namespace, String name, Random random);

  /** Returns how many records are spoiled in a test. */
  protected int records() {
    return 150;
  }

  @Test
  void operationsOnSpoiledRecordsEndInAnAnswerOrNameTheRecord() {
    watchingThreads(
        () -> {
          try (Store mine = open();
              Store others = open()) {
            Grant lock = granted(mine, request(HEALTHY, 1, Share.EXCLUSIVE, true));
            Grant share =
                granted(mine, request(HEALTHY_SEMAPHORE, 2, new Share(1, 3, false), true));
            for (int i = 0; i < records(); i++) {
              ResourceKind kind = KINDS.get(i % KINDS.size());
              spoilOne(mine, others, kind, "r" + i + "x", lock, share);
            }
            assertThat(answered(get(mine.resources(Listing.all()))))
                .contains(HEALTHY, HEALTHY_SEMAPHORE);
          }
        });
  }

  private void spoilOne(
      Store mine, Store others, ResourceKind kind, String name, Grant lock, Grant share) {
    ResourceId id = new ResourceId(kind, name);
    Share part = kind.isExclusive() ? Share.EXCLUSIVE : new Share(1, 2, false);
    get(mine.claim(request(id, 1, part, true)));
    get(others.claim(request(id, 2, part, true)));
    get(others.claim(request(id, 3, part, true)));
    Victim victim = spoilSome(name);
    for (int i = 0; i < 6; i++) {
      Store store = random.nextInt(3) > 0 ? mine : others;
      assertSettled(victim, operation(store, id, part));
      assertOthersUnharmed(victim, mine, id, lock, share);
    }
    assertSettled(victim, get(others.inspect(id)));
    assertSettled(victim, StoreProbe.force(others, id));
  }

  private Victim spoilSome(String name) {
    List<String> history = new ArrayList<>();
    int times = 1 + random.nextInt(3);
    for (int i = 0; i < times; i++) {
      history.add(spoil(namespace, name, random));
    }
    return new Victim(name, String.join(", then ", history));
  }

  private Outcome<?> operation(Store store, ResourceId id, Share part) {
    long claim = 1L + random.nextInt(3);
    return switch (random.nextInt(9)) {
      case 0 -> get(store.claim(request(id, claim, part, random.nextBoolean())));
      case 1 -> get(store.claim(request(id, numbers.incrementAndGet(), part, true)));
      case 2 -> get(store.release(new ReleaseRequest(id, claim, ReleaseRequest.UNKNOWN, null)));
      case 3 -> get(store.withdraw(id, claim));
      case 4 -> get(store.inspect(id));
      case 5 -> get(store.poll(List.of(new PollRequest(id, claim)))).get(0);
      case 6 -> get(store.renew(List.of(new RenewRequest(id, claim, LEASE_MILLIS)))).get(0);
      case 7 -> get(store.forceRelease(new ForceRequest(id, "somebody", claim, Long.MAX_VALUE)));
      default ->
          id.kind() == ResourceKind.SEMAPHORE
              ? StoreProbe.resize(store, id, 1 + random.nextInt(3))
              : get(store.inspect(id));
    };
  }

  /** Asks about the spoiled record and about healthy ones in one request. */
  private void assertOthersUnharmed(
      Victim victim, Store mine, ResourceId id, Grant lock, Grant share) {
    if (random.nextInt(3) > 0) {
      return;
    }
    var renewed =
        get(
            mine.renew(
                List.of(
                    new RenewRequest(HEALTHY, lock.grant(), LEASE_MILLIS),
                    new RenewRequest(id, 1, LEASE_MILLIS),
                    new RenewRequest(HEALTHY_SEMAPHORE, share.grant(), LEASE_MILLIS))));
    assertThat(answered(renewed.get(0)).renewed()).as("%s", victim).isTrue();
    assertSettled(victim, renewed.get(1));
    assertThat(answered(renewed.get(2)).renewed()).as("%s", victim).isTrue();
    var polled =
        get(
            mine.poll(
                List.of(
                    new PollRequest(id, 1),
                    new PollRequest(HEALTHY, 1),
                    new PollRequest(HEALTHY_SEMAPHORE, 2))));
    assertSettled(victim, polled.get(0));
    assertThat(answered(polled.get(1)).toString()).as("%s", victim).startsWith("Granted");
    assertThat(answered(polled.get(2)).toString()).as("%s", victim).startsWith("Granted");
  }

  @Test
  void operationsOnSpoiledCellsEndInAnAnswerOrNameTheCell() {
    watchingThreads(
        () -> {
          try (Store mine = open();
              Store others = open()) {
            update(mine, HEALTHY_CELL, new CellChange.Put(CellValue.of(7), 0));
            for (int i = 0; i < records(); i++) {
              CellKind kind = CELL_KINDS.get(i % CELL_KINDS.size());
              spoilOne(mine, others, new CellId(kind, "c" + i + "x"));
            }
          }
        });
  }

  private void spoilOne(Store mine, Store others, CellId cell) {
    update(mine, cell, new CellChange.Put(CellValue.of(42), random.nextBoolean() ? 0 : 30_000));
    get(others.read(List.of(new CellRead(cell, true, 0))));
    update(mine, cell, new CellChange.Add(1, null, true));
    get(others.read(List.of(new CellRead(cell, true, 0))));
    Victim victim = spoilSome(cell.name());
    for (int i = 0; i < 4; i++) {
      Store store = random.nextBoolean() ? mine : others;
      assertSettled(victim, update(store, cell, change()));
      var read =
          get(
              store.read(
                  List.of(
                      new CellRead(cell, random.nextBoolean(), random.nextInt(3)),
                      new CellRead(HEALTHY_CELL, false, 0))));
      assertSettled(victim, read.get(0));
      assertThat(answered(read.get(1)).toString()).as("%s", victim).startsWith("Present");
    }
  }

  private CellChange change() {
    return switch (random.nextInt(7)) {
      case 0 -> new CellChange.Create(CellValue.of(1), 0);
      case 1 -> new CellChange.Put(CellValue.of(new byte[] {1, 0, -1}), 60_000);
      case 2 -> new CellChange.Replace(3, CellValue.of(2), 0);
      case 3 -> new CellChange.ReplaceNumber(43, 44);
      case 4 -> new CellChange.Add(-2, random.nextBoolean() ? 0L : null, random.nextBoolean());
      case 5 -> new CellChange.Raise(50);
      default -> new CellChange.Delete();
    };
  }

  private Outcome<?> update(Store store, CellId cell, CellChange change) {
    return get(
        store.update(
            new CellUpdate(cell, numbers.incrementAndGet(), List.of(change), LEASE_MILLIS)));
  }

  // ------------------------------------------------------------- means

  private void assertSettled(Victim victim, Outcome<?> outcome) {
    if (outcome instanceof Outcome.Unknown<?> unknown) {
      fail(victim + " left it open", unknown.cause());
    } else if (outcome instanceof Outcome.Refused<?> refused) {
      assertThat(refused.message()).as("%s", victim).contains(victim.name);
    }
  }

  private static <T> T answered(Outcome<T> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Answered.class);
    return ((Outcome.Answered<T>) outcome).answer();
  }

  private static Grant granted(Store store, ClaimRequest request) {
    ClaimAnswer answer = answered(get(store.claim(request)));
    assertThat(answer).isInstanceOf(ClaimAnswer.Granted.class);
    return ((ClaimAnswer.Granted) answer).grant();
  }

  private static <T> T get(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(Delays.patience().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("an operation must complete, and normally", e);
    }
  }

  private static ClaimRequest request(ResourceId id, long claim, Share part, boolean queue) {
    return new ClaimRequest(id, claim, LEASE_MILLIS, 1, queue, part);
  }

  private Store open() {
    Store store =
        factory()
            .open(
                new StoreContext(
                    new ClientInfo(newId(), "spoiler", "a host", 7L),
                    namespace,
                    Timings.DEFAULT,
                    new Environment(System::nanoTime, Threads::scheduler, new Random(seed))));
    store.listen(new StoreClient.Notebook(Collections.synchronizedList(new ArrayList<>())));
    return store;
  }

  private void watchingThreads(Runnable test) {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(thread + ": " + e));
    try {
      test.run();
      assertThat(uncaught).as("threads that died").isEmpty();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("replay with -Dlockkeeper.test.seed=" + seed, e);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  private static String newId() {
    return UUID.randomUUID().toString().replace("-", "");
  }
}
