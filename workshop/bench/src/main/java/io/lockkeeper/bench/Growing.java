package io.lockkeeper.bench;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Lease;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.lab.report.Histograms;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** The series of docs/scale.md: a size that grows, and a measurement at each size. */
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
    void run(Field field, int size) throws Exception;
  }

  /** Otherwise a thread with nothing to do keeps what it has just given back. */
  private static final LockOptions AT_THE_STORE = LockOptions.defaults().withMaxLocalHandoffs(0);

  private static final int ENOUGH = 1_000;
  private static final int ROUNDS = 5;
  private static final int RENEWALS_SECONDS = 20;
  private static final int LISTED = 100;
  private static final int KEYS_AT_ONCE = 100_000;
  private static final int ENSEMBLE_CLIENTS = 20;

  final String title;

  /** What clients and server do, in sentences. */
  final String what;

  final String operation;

  /** Where memory is measured; empty if it is not. */
  final String bytes;

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
  Arena open(int size) {
    if (this != ENSEMBLE) {
      return Arena.open(Site.REDIS);
    }
    return size > 1 ? Arena.ensemble() : Arena.open(Site.ZOOKEEPER);
  }

  void measure(Field field, int size) throws Exception {
    measurement.run(field, size);
  }

  List<Integer> sizes() {
    return Stream.of(sizes.split(" ")).map(Integer::valueOf).toList();
  }

  private static void clients(Field field, int size) throws Exception {
    turns(
        field,
        field.connect(size).stream().map(keeper -> keeper.lock("one", AT_THE_STORE)).toList());
  }

  private static void ensemble(Field field, int size) throws Exception {
    List<DistributedLock> locks = new ArrayList<>();
    for (Lockkeeper keeper : field.connect(ENSEMBLE_CLIENTS)) {
      locks.add(keeper.lock("lock-" + locks.size(), AT_THE_STORE));
    }
    turns(field, locks);
  }

  /** Has claims wait in the queue, again and again, and measures how the lock passes through it. */
  private static void waiters(Field field, int size) throws Exception {
    DistributedLock door = field.connect().fairLock("crowd");
    List<Lockkeeper> keepers = field.connect(10);
    double before = ProcessUse.heapBytes();
    for (int done = -size; done < Math.max(ENOUGH, ROUNDS * size); done += size) {
      Lease first = door.acquire();
      AtomicLong last = new AtomicLong();
      Histogram gaps = Histograms.create();
      List<CompletionStage<Void>> turns = new ArrayList<>();
      for (int i = 0; i < size; i++) {
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
                    }));
      }
      Field.await(
          () ->
              keepers.get(0).admin().inspect(ResourceKind.LOCK, "crowd").waiters().size() == size);
      boolean isFirst = done < 0; // it warms up, and is weighed
      field.bytes = isFirst ? (ProcessUse.heapBytes() - before) / size : field.bytes;
      Field.Round round =
          field.measure(
              times -> {
                last.set(System.nanoTime());
                first.release();
                turns.forEach(it -> it.toCompletableFuture().join());
                times.add(gaps);
                return size;
              });
      if (!isFirst) {
        field.add(round);
      }
    }
  }

  private static void names(Field field, int size) throws Exception {
    List<Lockkeeper> keepers = field.connect(4);
    double before = field.serverBytes();
    field.add(
        field.measure(
            times ->
                Field.all(
                        size,
                        i ->
                            keepers
                                .get(i % keepers.size())
                                .lock("name-" + i)
                                .acquireAsync()
                                .thenApply(
                                    lease -> {
                                      lease.release();
                                      return lease.token();
                                    }))
                    .size()));
    field.bytes = (field.serverBytes() - before) / size;
  }

  private static void permits(Field field, int size) throws Exception {
    DistributedSemaphore held = field.connect().semaphore("pool", size + 1);
    double before = field.serverBytes();
    List<PermitLease> permits = Field.all(size, i -> held.acquireAsync());
    field.bytes = (field.serverBytes() - before) / size;
    DistributedSemaphore pool = field.connect().semaphore("pool", size + 1);
    loop(field, () -> pool.tryAcquire().orElseThrow().release());
    permits.forEach(PermitLease::release);
  }

  private static void leases(Field field, int size) throws Exception {
    Lockkeeper keeper = field.connect();
    Field.Work seconds =
        times -> {
          TimeUnit.SECONDS.sleep(RENEWALS_SECONDS);
          return (double) size * RENEWALS_SECONDS;
        };
    field.idleMicros = field.measure(seconds).serverMicros();
    double before = ProcessUse.heapBytes();
    List<Lease> leases = Field.all(size, i -> keeper.lock("held-" + i).acquireAsync());
    field.bytes = (ProcessUse.heapBytes() - before) / size;
    field.add(field.measure(seconds));
    leases.forEach(Lease::release);
  }

  private static void foreignKeys(Field field, int size) throws Exception {
    for (int first = 1; first <= size; first += KEYS_AT_ONCE) { // each is answered in time
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
    loop(field, field.connect().admin()::inspect);
    leases.forEach(Lease::release);
  }

  /** Has a thread for each lock take it, which is timed, and give it back. */
  private static void turns(Field field, List<DistributedLock> locks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(locks.size());
    try {
      field.rounds(
          (times, endNanos) -> {
            List<Future<Histogram>> all = new ArrayList<>();
            locks.forEach(
                it -> all.add(threads.submit(() -> repeat(endNanos, it::lock, it::unlock))));
            for (Future<Histogram> each : all) {
              times.add(each.get());
            }
          });
    } finally {
      threads.shutdownNow();
    }
  }

  private static void loop(Field field, Runnable operation) throws Exception {
    field.rounds((times, endNanos) -> times.add(repeat(endNanos, operation, () -> {})));
  }

  /** Does something until this time, and returns how long the first half of it took. */
  private static Histogram repeat(long endNanos, Runnable timed, Runnable rest) {
    Histogram times = Histograms.create();
    for (long now = System.nanoTime(); now < endNanos; now = System.nanoTime()) {
      timed.run();
      Histograms.record(times, System.nanoTime() - now);
      rest.run();
    }
    return times;
  }
}
