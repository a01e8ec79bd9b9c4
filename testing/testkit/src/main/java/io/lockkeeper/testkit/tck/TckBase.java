package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.HeldLease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;

/**
 * The common part of all chapters: a namespace per test, clients and threads that are closed at its
 * end, and the check that nothing is left (promise C4) after every test. The tests may run side by
 * side on one server: only those that make it forget everything run alone, see {@link #MEMORY}.
 */
@Timeout(600)
@ExtendWith(OwnThread.class)
@ResourceLock(
    value = TckBase.MEMORY,
    mode = ResourceAccessMode.READ,
    target = ResourceLockTarget.CHILDREN)
public abstract class TckBase {

  /** The name of the lock in tests that need one. */
  protected static final String NAME = "stock:1001";

  /**
   * The data that every test relies on, and a test that calls {@link #loseEverything} changes for
   * all.
   */
  protected static final String MEMORY = "memory of the store";

  /**
   * The length of a lease that a test must see kept: long enough to be renewed in time on a slow
   * machine that has other tests to run. Only a lease whose end a test waits for may be shorter.
   */
  protected static final Duration KEPT = Delays.millis(2_000);

  /**
   * The length of a lease that a test looks at while it is held, and whose end it then waits for.
   */
  protected static final Duration BRIEF = Delays.millis(500);

  /** How late what nobody holds is over for clients that have not followed it. */
  protected static final Duration LATE = Duration.ofSeconds(2);

  private final ThreadGroup threads = new ThreadGroup("tck");
  private final List<Lockkeeper> clients = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private final List<Probe> probes = new ArrayList<>();
  private final List<Faults> faults = new ArrayList<>();
  private final String namespace = "tck-" + UUID.randomUUID();
  private TckStore store = new NoStore();

  /** Opens the store for one test; it is closed at the test's end. */
  protected abstract TckStore openStore();

  @BeforeEach
  final void open() {
    store = openStore();
  }

  @AfterEach
  final void nothingIsLeft() {
    List<Runnable> ends = new ArrayList<>();
    faults.forEach(each -> ends.add(each::healUnlessDead));
    clients.forEach(each -> ends.add(each::close));
    workers.forEach(each -> ends.add(each::close));
    probes.forEach(each -> ends.add(each::close));
    try {
      endAll(ends);
      eventually()
          .untilAsserted(() -> assertThat(Threads.ofLibrary(threads)).as("threads left").isEmpty());
      eventually()
          .untilAsserted(
              () -> assertThat(store.residue(namespace)).as("left at the store").isEmpty());
    } finally {
      store.close();
    }
  }

  /** Ends everything, also behind what fails: what is left would have the next tests fail too. */
  private static void endAll(List<Runnable> ends) {
    List<RuntimeException> failures = new ArrayList<>();
    for (Runnable end : ends) {
      try {
        end.run();
      } catch (RuntimeException e) {
        failures.add(e);
      }
    }
    assertThat(failures).as("failures at the end").isEmpty();
  }

  /** Returns the group of the threads that this test starts. */
  final ThreadGroup threads() {
    return threads;
  }

  /** Returns the store under test. */
  protected final TckStore store() {
    return store;
  }

  /** Returns the namespace of this test. */
  protected final String namespace() {
    return namespace;
  }

  /** Returns a new client with default settings. */
  protected final Lockkeeper client() {
    return client(builder -> builder);
  }

  /** Returns a new client. */
  protected final Lockkeeper client(UnaryOperator<LockkeeperBuilder> settings) {
    return client(faults(), settings);
  }

  /** Returns a new client whose way to the store has faults. */
  protected final Lockkeeper client(Faults faults) {
    return client(faults, builder -> builder);
  }

  /** Returns a new client whose way to the store has faults. */
  protected final Lockkeeper client(Faults faults, UnaryOperator<LockkeeperBuilder> settings) {
    Lockkeeper client =
        settings
            .apply(Lockkeeper.builder().namespace(namespace))
            .connect(faults.around(scaled(store.factory()), store::vanish));
    clients.add(client);
    return client;
  }

  /** Returns a new client as another process has it, to which nothing of the store is known. */
  protected final Lockkeeper stranger() {
    Lockkeeper client = Lockkeeper.builder().namespace(namespace).connect(store.url());
    clients.add(client);
    return client;
  }

  /**
   * Returns a factory of stores whose claim deadline is twice the usual one, and multiplied as all
   * times of tests are: a machine that builds other modules too may need a second for a turn, and
   * the waiter that misses the deadline loses it.
   */
  private static StoreFactory scaled(StoreFactory factory) {
    Timings usual = Timings.DEFAULT;
    long claimDeadline = Delays.millis(2 * usual.claimDeadlineMillis()).toMillis();
    Timings scaled = new Timings(usual.heartbeatMillis(), claimDeadline, usual.tombstoneMillis());
    return context ->
        factory.open(
            new StoreContext(context.client(), context.namespace(), scaled, context.environment()));
  }

  /** Returns a new set of faults for one client, with none at first. */
  protected final Faults faults() {
    Faults made = new Faults();
    faults.add(made);
    return made;
  }

  /** Returns another thread. */
  protected final Worker worker() {
    Worker worker = new Worker(String.valueOf(workers.size()));
    workers.add(worker);
    return worker;
  }

  /**
   * Makes many threads do the same at once, and waits for all of them. Throws what one of them
   * throws.
   */
  protected final void together(int threads, ThreadAction action) {
    List<Future<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int index = i;
      all.add(worker().begin(() -> action.run(index)));
    }
    all.forEach(each -> Worker.get(each, Delays.work()));
  }

  /** The work of one of many threads. */
  @FunctionalInterface
  protected interface ThreadAction {

    /** Does it; {@code index} counts the threads from 0. */
    void run(int index) throws Exception;
  }

  /** Skips the test, or the rest of it, where a store sends no notifications. */
  protected final void assumeNotifications() {
    Assumptions.assumeTrue(store.pushes(), "this store sends no notifications");
  }

  /** Makes the store forget all it knows, or skips the test, which locks {@link #MEMORY}. */
  protected final void loseEverything() {
    Assumptions.assumeTrue(store.loseEverything(), "this store cannot be made to forget");
  }

  /** Returns options for a lease that ends by itself. */
  protected static AcquireOptions fixed(Duration lease) {
    return AcquireOptions.defaults().withFixedLease(lease);
  }

  /** Waits until a lease is lost, and checks why. */
  protected static void assertLost(HeldLease lease, LeaseLost.Reason reason) {
    assertThat(Worker.outcome(lease.lost()).reason()).isEqualTo(reason);
  }

  /** Returns what the store says about the lock of a name. */
  protected final Inspection inspect(String name) {
    return inspect(ResourceId.lock(name));
  }

  /** Returns what the store says about a resource. */
  protected final Inspection inspect(ResourceId resource) {
    if (probes.isEmpty()) {
      probes.add(new Probe(store.factory(), namespace));
    }
    return probes.get(0).inspect(resource);
  }

  /** Returns once as many claims wait at the store for the lock of a name. */
  protected final void awaitWaiting(String name, int claims) {
    awaitWaiting(ResourceId.lock(name), claims);
  }

  /** Returns once as many claims wait for a resource at the store. */
  protected final void awaitWaiting(ResourceId resource, int claims) {
    eventually()
        .untilAsserted(
            () -> {
              Inspection seen = inspect(resource);
              assertThat(seen.waiting()).as("waiting, of %s", seen).isEqualTo(claims);
            });
  }

  /** Returns once nobody holds the lock of a name at the store. */
  protected final void awaitFree(String name) {
    awaitFree(ResourceId.lock(name));
  }

  /** Returns once nobody holds a resource at the store. */
  protected final void awaitFree(ResourceId resource) {
    eventually().untilAsserted(() -> assertThat(inspect(resource).holder()).isNull());
  }

  /** Waits for something that must happen. */
  protected static ConditionFactory eventually() {
    return Delays.eventually();
  }

  /** Lets time pass, for tests of what does or does not happen meanwhile. */
  protected static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    eventually().atMost(time.plus(Delays.patience())).until(() -> System.nanoTime() >= end);
  }

  /** Waits until a lease of this length has ended unless it was renewed. */
  protected static void outlive(Duration lease) {
    pass(lease.plus(lease.dividedBy(4)));
  }

  /** Returns how long a task takes. */
  protected static Duration duration(Callable<?> task) {
    long start = System.nanoTime();
    try {
      task.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** Returns the answer of a store that must answer. */
  static <T> T answered(Outcome<T> outcome) {
    if (outcome instanceof Outcome.Answered<T> answered) {
      return answered.answer();
    }
    throw new AssertionError("the store must answer: " + outcome);
  }
}
