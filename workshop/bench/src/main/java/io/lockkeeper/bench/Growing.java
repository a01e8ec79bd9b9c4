package io.lockkeeper.bench;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Lease;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.bench.Growth.Point;
import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.lab.report.Histograms;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** What grows, and what is measured at each size. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
enum Growing {
  CLIENTS(
      "Clients of one lock",
      "Each client has one thread, which acquires the lock at the store each time.",
      "lock and unlock",
      "",
      "1 2 5 10 20 50 100 200",
      Growing::clients),
  WAITERS(
      "Waiters of one fair lock",
      "Ten clients have claims in the queue. Neighbours of one client are admitted together.",
      "turn",
      "client",
      "10 100 1000 10000",
      Growing::waiters),
  NAMES(
      "Names that are used once",
      "Each name is locked and unlocked once, 256 at a time from four clients.",
      "lock and unlock",
      "server, for a minute",
      "1000 10000 100000 1000000",
      Growing::names),
  PERMITS(
      "Permits that are out",
      "One client holds permits of a semaphore; another acquires and releases one more.",
      "acquire and release",
      "server",
      "1 10 100 1000 10000",
      Growing::permits),
  LEASES(
      "Leases that one client holds",
      "One client holds locks, and renews all of them once in ten seconds.",
      "second of one lease",
      "client",
      "100 1000 10000 100000",
      Growing::leases),
  FOREIGN_KEYS(
      "Keys of others",
      "The server has keys of other programs, while 100 locks are listed.",
      "inspect()",
      "",
      "0 10000 100000 1000000 5000000",
      Growing::foreignKeys),
  ENSEMBLE(
      "Servers of an ensemble",
      "Twenty clients acquire a lock each, at the store each time. The time is that of all"
          + " servers.",
      "lock and unlock",
      "",
      "1 3",
      Growing::ensemble);

  /** Measures one size. */
  private interface Measurement {
    Point of(Field field, long size) throws Exception;
  }

  /** Otherwise a thread with nothing to do keeps what it has just given back. */
  private static final LockOptions AT_THE_STORE = LockOptions.defaults().withMaxLocalHandoffs(0);

  private static final int ENOUGH = 1_000;
  private static final int ROUNDS = 5;
  private static final int RENEWALS_SECONDS = 20;
  private static final int LISTED = 100;
  private static final long KEYS_AT_ONCE = 100_000;
  private static final int ENSEMBLE_CLIENTS = 20;

  private final String title;
  private final String what;
  private final String operation;
  private final String bytes;
  private final String sizes;
  private final Measurement measurement;

  Growing(
      String title,
      String what,
      String operation,
      String bytes,
      String sizes,
      Measurement measurement) {
    this.title = title;
    this.what = what;
    this.operation = operation;
    this.bytes = bytes;
    this.sizes = sizes;
    this.measurement = measurement;
  }

  /** Starts the servers for one size. */
  Arena open(long size) {
    if (this != ENSEMBLE) {
      return Arena.open(Site.REDIS);
    }
    return size > 1 ? Arena.ensemble() : Arena.open(Site.ZOOKEEPER);
  }

  Point measure(Field field, long size) throws Exception {
    return measurement.of(field, size);
  }

  String title() {
    return title;
  }

  /** Returns what clients and server do, in sentences. */
  String what() {
    return what;
  }

  String operation() {
    return operation;
  }

  /** Returns where memory is measured; empty if it is not. */
  String bytes() {
    return bytes;
  }

  List<Long> sizes() {
    return Stream.of(sizes.split(" ")).map(Long::valueOf).toList();
  }

  private static Point clients(Field field, long size) throws Exception {
    return turns(
        field,
        size,
        field.connect((int) size).stream()
            .map(keeper -> keeper.lock("one", AT_THE_STORE))
            .toList());
  }

  private static Point ensemble(Field field, long size) throws Exception {
    List<DistributedLock> locks = new ArrayList<>();
    for (Lockkeeper keeper : field.connect(ENSEMBLE_CLIENTS)) {
      locks.add(keeper.lock("lock-" + locks.size(), AT_THE_STORE));
    }
    return turns(field, size, locks);
  }

  private static Point waiters(Field field, long size) throws Exception {
    DistributedLock door = field.connect().fairLock("crowd");
    List<Lockkeeper> keepers = field.connect(10);
    List<Point> rounds = new ArrayList<>();
    double bytes = handOffs(field, door, keepers, size, true).bytes();
    for (long done = 0; done < ENOUGH || rounds.size() < ROUNDS; done += size) {
      rounds.add(handOffs(field, door, keepers, size, false));
    }
    return Point.median(rounds).withBytes(bytes);
  }

  /**
   * Has claims of these clients wait in the queue, and measures how the lock passes through it.
   *
   * @param weighs whether the memory of the waiters is measured, too
   */
  private static Point handOffs(
      Field field, DistributedLock door, List<Lockkeeper> keepers, long waiters, boolean weighs)
      throws Exception {
    double before = weighs ? ProcessUse.heapBytes() : Double.NaN;
    Lease first = door.acquire();
    AtomicLong last = new AtomicLong();
    Histogram gaps = Histograms.create();
    List<CompletableFuture<Void>> turns = new ArrayList<>();
    for (int i = 0; i < waiters; i++) {
      turns.add(
          keepers
              .get(i % keepers.size())
              .fairLock("crowd")
              .acquireAsync()
              .thenAccept(
                  lease -> {
                    long now = System.nanoTime();
                    Histograms.record(gaps, now - last.getAndSet(now));
                    lease.release();
                  })
              .toCompletableFuture());
    }
    Field.await(() -> waiting(keepers.get(0)) == waiters);
    double bytes = weighs ? (ProcessUse.heapBytes() - before) / waiters : Double.NaN;
    return field
        .measure(
            waiters,
            times -> {
              last.set(System.nanoTime());
              first.release();
              turns.forEach(CompletableFuture::join);
              times.add(gaps);
              return waiters;
            })
        .withBytes(bytes);
  }

  private static long waiting(Lockkeeper keeper) {
    return keeper.admin().inspect(ResourceKind.LOCK, "crowd").waiters().size();
  }

  private static Point names(Field field, long size) throws Exception {
    List<Lockkeeper> keepers = field.connect(4);
    double before = field.serverBytes();
    Point point =
        field.measure(
            size,
            times -> {
              Field.all(
                  size,
                  i ->
                      keepers
                          .get((int) (i % keepers.size()))
                          .lock("name-" + i)
                          .acquireAsync()
                          .thenApply(
                              lease -> {
                                lease.release();
                                return lease.token();
                              }));
              return size;
            });
    return point.withBytes((field.serverBytes() - before) / size);
  }

  private static Point permits(Field field, long size) throws Exception {
    int limit = (int) size + 1;
    DistributedSemaphore held = field.connect().semaphore("pool", limit);
    double before = field.serverBytes();
    List<PermitLease> permits = Field.all(size, i -> held.acquireAsync());
    double bytes = (field.serverBytes() - before) / size;
    DistributedSemaphore pool = field.connect().semaphore("pool", limit);
    Point point = loop(field, size, () -> pool.tryAcquire().orElseThrow().release());
    permits.forEach(PermitLease::release);
    return point.withBytes(bytes);
  }

  private static Point leases(Field field, long size) throws Exception {
    Lockkeeper keeper = field.connect();
    Field.Work second =
        times -> {
          long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(RENEWALS_SECONDS);
          Field.await(() -> System.nanoTime() - end >= 0);
          return (double) size * RENEWALS_SECONDS;
        };
    Point idle = field.measure(size, second);
    double before = ProcessUse.heapBytes();
    List<Lease> leases = Field.all(size, i -> keeper.lock("held-" + i).acquireAsync());
    double bytes = (ProcessUse.heapBytes() - before) / size;
    Point point = field.measure(size, second).without(idle);
    leases.forEach(Lease::release);
    return point.withBytes(bytes);
  }

  private static Point foreignKeys(Field field, long size) throws Exception {
    for (long first = 1; first <= size; first += KEYS_AT_ONCE) { // each is answered in time
      field
          .server()
          .command(
              "EVAL",
              "for i = ARGV[1], ARGV[2] do redis.call('SET', 'foreign:' .. i, i) end",
              "0",
              String.valueOf(first),
              String.valueOf(Math.min(size, first + KEYS_AT_ONCE - 1)));
    }
    Lockkeeper keeper = field.connect();
    List<Lease> leases = Field.all(LISTED, i -> keeper.lock("held-" + i).acquireAsync());
    Lockkeeper operator = field.connect();
    Point point = loop(field, size, operator.admin()::inspect);
    leases.forEach(Lease::release);
    return point;
  }

  /** Has a thread for each lock take it and give it back. */
  private static Point turns(Field field, long size, List<DistributedLock> locks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(locks.size());
    try {
      return field.rounds(
          size,
          (times, nanos) -> {
            List<Future<Histogram>> waits = new ArrayList<>();
            locks.forEach(lock -> waits.add(threads.submit(() -> turns(lock, nanos))));
            for (Future<Histogram> wait : waits) {
              times.add(wait.get());
            }
            return times.getTotalCount();
          });
    } finally {
      threads.shutdownNow();
    }
  }

  private static Histogram turns(DistributedLock lock, long nanos) {
    Histogram waits = Histograms.create();
    long end = System.nanoTime() + nanos;
    for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
      lock.lock();
      try {
        Histograms.record(waits, System.nanoTime() - now);
      } finally {
        lock.unlock();
      }
    }
    return waits;
  }

  private static Point loop(Field field, long size, Runnable operation) throws Exception {
    return field.rounds(
        size,
        (times, nanos) -> {
          long end = System.nanoTime() + nanos;
          for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
            operation.run();
            Histograms.record(times, System.nanoTime() - now);
          }
          return times.getTotalCount();
        });
  }
}
