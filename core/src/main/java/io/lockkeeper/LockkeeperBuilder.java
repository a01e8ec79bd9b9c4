package io.lockkeeper;

import io.lockkeeper.engine.policy.ClientConfig;
import io.lockkeeper.engine.policy.Connecting;
import io.lockkeeper.engine.policy.Names;
import io.lockkeeper.engine.runtime.Providers;
import io.lockkeeper.engine.runtime.SystemEnvironment;
import io.lockkeeper.engine.view.LockkeeperClient;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings of a client. Not thread-safe; build once, then share the {@link Lockkeeper}. */
public final class LockkeeperBuilder {

  private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);
  private static final Duration DEFAULT_STORE_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration DEFAULT_DEADLOCK_CHECK = Duration.ofSeconds(5);
  private static final Duration SHORTEST_DEADLOCK_CHECK = Duration.ofMillis(100);
  private static final Duration LONGEST_DEADLOCK_CHECK = Duration.ofHours(1);

  private String clientName = Names.defaultClientName();
  private String namespace = "lockkeeper";
  private Duration lease = DEFAULT_LEASE;
  private @Nullable Duration renewalInterval;
  private Duration storeTimeout = DEFAULT_STORE_TIMEOUT;
  private @Nullable Executor executor;
  private Duration deadlockCheck = DEFAULT_DEADLOCK_CHECK;
  private boolean detectsDeadlocks = true;
  private boolean breaksDeadlocks;
  private Connecting connecting = Connecting.AT_ONCE;
  private Environment environment = SystemEnvironment.create();
  private final Map<String, LockOptions> lockOptions = new LinkedHashMap<>();
  private final List<LockListener> listeners = new ArrayList<>();
  private final List<LockObserver> observers = new ArrayList<>();

  LockkeeperBuilder() {}

  /**
   * Sets this client's name, which people see when they look at the store. Default {@code
   * host/pid}.
   *
   * @throws IllegalArgumentException if empty, longer than 512 bytes or with control characters
   */
  public LockkeeperBuilder clientName(String clientName) {
    this.clientName = Names.check("client name", clientName);
    return this;
  }

  /**
   * Sets the namespace, which separates this client's resources from those of other applications on
   * the same store. Default {@code lockkeeper}.
   *
   * @throws IllegalArgumentException if empty, longer than 512 bytes or with control characters
   */
  public LockkeeperBuilder namespace(String namespace) {
    this.namespace = Names.check("namespace", namespace);
    return this;
  }

  /**
   * Sets how long a hold lasts at the store without renewal: the longest time for which a crashed
   * holder blocks the others. Default 30 seconds.
   *
   * @param lease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if outside that range
   */
  public LockkeeperBuilder lease(Duration lease) {
    this.lease = Leases.check(lease);
    return this;
  }

  /**
   * Sets how often a hold is renewed. Default a third of its lease.
   *
   * @throws IllegalArgumentException if zero or negative; if longer than half the lease, {@link
   *     #connect} throws it
   */
  public LockkeeperBuilder renewalInterval(Duration interval) {
    if (interval.isZero() || interval.isNegative()) {
      throw new IllegalArgumentException(
          "renewalInterval must be positive, was " + DurationText.of(interval));
    }
    this.renewalInterval = interval;
    return this;
  }

  /**
   * Sets how long a wait goes on without any answer from the store before it fails with a {@link
   * StoreUnavailableException}. Default 30 seconds.
   *
   * @throws IllegalArgumentException if zero or negative
   */
  public LockkeeperBuilder storeTimeout(Duration timeout) {
    if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException(
          "storeTimeout must be positive, was " + DurationText.of(timeout));
    }
    this.storeTimeout = timeout;
    return this;
  }

  /**
   * Sets the options of the locks whose names match {@code pattern}: those that {@link
   * Lockkeeper#lock(String)} and {@link Lockkeeper#fairLock(String)} take. An asterisk in the
   * pattern stands for any text, also none. Of several patterns that match a name, the longest
   * counts, and of equally long ones that which was set first. Default {@link
   * LockOptions#defaults()} for all names.
   *
   * @throws IllegalArgumentException if the pattern is empty, longer than 512 bytes or has control
   *     characters
   */
  public LockkeeperBuilder lockOptions(String pattern, LockOptions options) {
    lockOptions.put(
        Names.check("pattern", pattern), Objects.requireNonNull(options, "lock options"));
    return this;
  }

  /**
   * Sets the executor that runs callbacks and the completions of asynchronous acquisitions.
   * Shutting it down remains the caller's task. By default the client has up to four daemon threads
   * of its own. These also run a task if the executor throws instead of taking it, or would run it
   * on the calling thread, as {@code Runnable::run} and {@link
   * java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy} do, because that thread may be the
   * driver's.
   *
   * <p>The executor must not block in {@code execute}, nor drop tasks without an exception. If it
   * has not begun to run the completion of an acquisition within the length of the lease, that
   * lease is no longer renewed.
   */
  public LockkeeperBuilder executor(Executor executor) {
    this.executor = Objects.requireNonNull(executor, "executor");
    return this;
  }

  /**
   * Sets whether deadlocks are looked for. Without it this client asks and writes nothing for that,
   * and its threads are in no deadlock that others find. Default true.
   */
  public LockkeeperBuilder deadlockDetection(boolean detects) {
    this.detectsDeadlocks = detects;
    return this;
  }

  /**
   * Sets how long a thread that holds something waits for something else before this client checks
   * for a deadlock. Deadlocks among threads of all clients of the store are found, over locks,
   * read-write locks and semaphores, and published as {@link LockEvent.Deadlock}. A lease counts as
   * held by the thread that acquired it. Threads that hold nothing while they wait, or wait for a
   * shorter time, cost nothing. Default 5 seconds.
   *
   * @param interval from 100 milliseconds to an hour
   * @throws IllegalArgumentException if outside that range
   */
  public LockkeeperBuilder deadlockCheck(Duration interval) {
    if (interval.compareTo(SHORTEST_DEADLOCK_CHECK) < 0
        || interval.compareTo(LONGEST_DEADLOCK_CHECK) > 0) {
      throw new IllegalArgumentException(
          "deadlockCheck must be from 100 milliseconds to 1 hour, was "
              + DurationText.of(interval));
    }
    this.deadlockCheck = interval;
    return this;
  }

  /**
   * Sets whether a wait of this client may be ended with a {@link DeadlockException} to break a
   * deadlock. Among the waits whose clients allow it, the one that began last is ended. By default
   * deadlocks are only published as events.
   */
  public LockkeeperBuilder breakDeadlocks(boolean breaks) {
    this.breaksDeadlocks = breaks;
    return this;
  }

  /**
   * Lets {@link #connect} return at once, whether or not the store can be reached: the client
   * connects in the background and tries until it succeeds or is closed.
   *
   * <p>Until then every operation waits within its own limit, as while a store does not answer: a
   * request for a lock that has a limit for that long, any other for the store timeout, then a
   * {@link StoreUnavailableException} says what was tried. What asks the store only once, such as
   * {@code tryLock()}, gets that exception at once. While the store refuses this client, because
   * the password is wrong, say, or a setting does not fit the store, operations get a {@link
   * StoreRefusedException} at once; that is tried again too, because it may be put right there. A
   * malformed URL, an unknown scheme and settings that do not fit together are still found by
   * {@code connect}. {@link LockkeeperAdmin#ping} tells whether the client is connected, and {@link
   * LockListener#onConnection} when.
   */
  public LockkeeperBuilder connectLater() {
    this.connecting = Connecting.LATER;
    return this;
  }

  /**
   * As {@link #connectLater}, but tries nothing before the client is used for the first time: an
   * application that may never take a lock needs no store.
   *
   * <p>What is asked before the first attempt to connect is over waits for its end, also what asks
   * only once, such as {@code tryLock()}. A ping is a use. Of this and {@link #connectLater} the
   * last call counts.
   */
  public LockkeeperBuilder connectAtFirstUse() {
    this.connecting = Connecting.AT_FIRST_USE;
    return this;
  }

  /** Adds a listener. */
  public LockkeeperBuilder listener(LockListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  /** Adds an observer; they are called in the order in which they were added. */
  public LockkeeperBuilder observer(LockObserver observer) {
    observers.add(Objects.requireNonNull(observer, "observer"));
    return this;
  }

  /** Sets time, scheduler and randomness: for simulations and tests. */
  public LockkeeperBuilder environment(Environment environment) {
    this.environment = Objects.requireNonNull(environment, "environment");
    return this;
  }

  /**
   * Connects to the store at {@code url}.
   *
   * @throws IllegalArgumentException if no store on the class path knows the URL's scheme, or the
   *     URL or the settings are malformed
   * @throws StoreUnavailableException if the store does not answer within the connect timeout, and
   *     the client is not to {@linkplain #connectLater connect later}
   */
  public Lockkeeper connect(String url) {
    Objects.requireNonNull(url, "url");
    return connect(Providers.find(url));
  }

  /**
   * Connects to the store that {@code factory} opens. Use it with a driver's client or a data
   * source that the application already has.
   *
   * @throws IllegalArgumentException if the settings do not fit together
   * @throws StoreUnavailableException if the store does not answer within the connect timeout, and
   *     the client is not to {@linkplain #connectLater connect later}
   */
  public Lockkeeper connect(StoreFactory factory) {
    Objects.requireNonNull(factory, "factory");
    Duration interval = checkedRenewalInterval();
    checkDeadlocks();
    ClientConfig config =
        new ClientConfig(
            clientName,
            namespace,
            lease,
            (double) interval.toNanos() / lease.toNanos(),
            optionsByName(),
            connecting,
            storeTimeout,
            executor,
            List.copyOf(listeners),
            List.copyOf(observers),
            detectsDeadlocks,
            deadlockCheck,
            breaksDeadlocks);
    return LockkeeperClient.open(config, environment, factory);
  }

  Duration checkedRenewalInterval() {
    Duration interval = renewalInterval == null ? lease.dividedBy(3) : renewalInterval;
    if (interval.compareTo(lease.dividedBy(2)) > 0) {
      throw new IllegalArgumentException(
          "renewalInterval must be at most half of the lease ("
              + DurationText.of(lease)
              + "), was "
              + DurationText.of(interval));
    }
    return interval;
  }

  void checkDeadlocks() {
    if (breaksDeadlocks && !detectsDeadlocks) {
      throw new IllegalArgumentException("breakDeadlocks needs deadlockDetection");
    }
  }

  private Function<String, LockOptions> optionsByName() {
    if (lockOptions.isEmpty()) {
      return name -> LockOptions.defaults();
    }
    record ByPattern(Pattern names, LockOptions options) {}
    List<ByPattern> all =
        lockOptions.entrySet().stream()
            .sorted(Comparator.comparing(entry -> -entry.getKey().length()))
            .map(entry -> new ByPattern(names(entry.getKey()), entry.getValue()))
            .toList();
    return name ->
        all.stream()
            .filter(each -> each.names().matcher(name).matches())
            .map(ByPattern::options)
            .findFirst()
            .orElse(LockOptions.defaults());
  }

  private static Pattern names(String pattern) {
    return Pattern.compile(
        Arrays.stream(pattern.split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*")),
        Pattern.DOTALL);
  }
}
