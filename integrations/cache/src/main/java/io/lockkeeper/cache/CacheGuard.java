package io.lockkeeper.cache;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.support.DurationText;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A cache in front of something slow, such as a database, whose values are loaded once over all
 * processes: {@link #get} reads the cache; if there is no value, it takes the lock of the key,
 * reads again, loads, writes, and releases.
 *
 * <ul>
 *   <li>A popular key that expires (<i>breakdown</i>) is loaded by one thread of one process, and
 *       all others wait for that one value; with {@link CacheGuardOptions#withStaleTime} they go on
 *       with the old one meanwhile.
 *   <li>A key that has no value (<i>penetration</i>) is remembered as such for a while; a {@link
 *       KeyFilter} can keep it from the cache too.
 *   <li>Keys that were loaded together (<i>avalanche</i>) expire at different times.
 *   <li>A loader that hangs, or whose process dies, delays the others by at most its lease.
 *   <li>A loader that fails has its failure thrown to the threads of its process that waited for
 *       it; other processes try for themselves, one after the other.
 * </ul>
 *
 * <p>All processes need the same {@linkplain Builder#name name}, one {@link CacheStore} and one
 * store of the locks; the two may be on one server. A guard has no threads, and need not be closed.
 *
 * <p>Values are shared between callers and must not be changed.
 *
 * <p>This file is long because half of it says what is promised.
 *
 * @param <K> the keys; two keys that are equal have the same {@code toString}, which names the lock
 * @param <V> the values
 */
public final class CacheGuard<K, V> {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private final Lockkeeper keeper;
  private final CacheStore<K, V> store;
  private final String name;
  private final CacheGuardOptions options;
  private final KeyFilter<? super K> filter;
  private final @Nullable Function<? super K, Optional<V>> fallback;
  private final Executor refresher;
  private final RandomGenerator random;
  private final ConcurrentMap<K, Flight<V>> flights = new ConcurrentHashMap<>();

  private CacheGuard(Builder<K, V> builder) {
    keeper = builder.keeper;
    store = builder.store;
    name = builder.name;
    options = builder.options;
    filter = builder.filter;
    fallback = builder.fallback;
    refresher = builder.refresher;
    random = builder.random;
  }

  /**
   * Returns the beginnings of a guard.
   *
   * @param keeper the client whose locks it takes
   * @param store the cache
   */
  public static <K, V> Builder<K, V> builder(Lockkeeper keeper, CacheStore<K, V> store) {
    return new Builder<>(keeper, store);
  }

  /**
   * Returns the value of a key, from the cache if it is there, otherwise by the loader: then at
   * most one caller over all processes loads at a time, unless {@linkplain
   * CacheGuardOptions#withLoadingWithoutLock the options say otherwise} or a loader takes longer
   * than {@linkplain CacheGuardOptions#withLoadLease its lease}.
   *
   * @param loader loads the value; it must not ask this guard for the same key
   * @return the value, or empty if there is none
   * @throws CacheLoadException if the loader failed, here or for another thread of this process
   *     that this one waited for
   * @throws CacheWaitException if the limit on the wait has passed and there is no {@linkplain
   *     Builder#fallback fallback}
   * @throws StoreUnavailableException if the store of the locks does not answer and there is no
   *     fallback
   * @throws IllegalStateException if a loader asks for the key that it loads
   * @throws InterruptedException if interrupted while waiting, or if the loader threw it
   */
  public Optional<V> get(K key, CacheLoader<? super K, ? extends V> loader)
      throws InterruptedException {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(loader, "loader");
    if (!filter.mightExist(key)) {
      return Optional.empty();
    }
    CacheEntry<V> entry = store.get(key);
    if (entry == null) {
      return loadOrFallBack(key, loader);
    }
    return isStale(entry) ? refresh(key, entry, loader) : entry.content();
  }

  /**
   * Removes the entry of a key, for example after its value was changed in the database. Waits for
   * a load that is under way, so that a value that was loaded before the change is not written
   * after it.
   *
   * @throws CacheWaitException if the limit on the wait has passed; the entry is removed all the
   *     same, and a load that was under way may write its value
   * @throws StoreUnavailableException if the store of the locks does not answer; as before
   * @throws InterruptedException if interrupted while waiting; the entry is not removed
   */
  public void invalidate(K key) throws InterruptedException {
    Objects.requireNonNull(key, "key");
    Lease lease;
    try {
      lease = acquire(key, options.maxWait());
    } catch (StoreUnavailableException e) {
      store.remove(key);
      throw e;
    }
    store.remove(key);
    if (lease == null) {
      throw tooLong(key);
    }
    release(lease);
  }

  private boolean isStale(CacheEntry<V> entry) {
    return entry.value() != null
        && !options.staleTime().isZero()
        && entry.timeLeft().compareTo(options.staleTime()) <= 0;
  }

  // ------------------------------------------------------------- one thread per process

  private Optional<V> loadOrFallBack(K key, CacheLoader<? super K, ? extends V> loader)
      throws InterruptedException {
    if (fallback == null) {
      return loadOnce(key, loader);
    }
    try {
      return loadOnce(key, loader);
    } catch (CacheWaitException | StoreUnavailableException e) {
      LOG.log(Level.DEBUG, "the fallback for '" + key + "' of " + name, e);
      return fallback.apply(key);
    }
  }

  private Optional<V> loadOnce(K key, CacheLoader<? super K, ? extends V> loader)
      throws InterruptedException {
    long deadline = System.nanoTime() + options.maxWait().toNanos();
    while (true) {
      Flight<V> mine = newFlight();
      Flight<V> other = join(key, mine);
      if (other == null) {
        return fly(key, loader, mine, deadline);
      }
      if (other.isOwn()) {
        throw new IllegalStateException("the loader of '" + key + "' asks for the same key");
      }
      other.await(deadline);
      Flight.Landed<V> landed = other.landed();
      if (landed != null) {
        return landed.content();
      }
      throwFor(key, other.failure());
      if (deadline - System.nanoTime() <= 0) {
        return late(key, loader, mine);
      }
    }
  }

  private Flight<V> newFlight() {
    return new Flight<>(options.loadLease().toNanos());
  }

  /** Returns the flight to wait for, or null if the flight given is now the one to wait for. */
  private @Nullable Flight<V> join(K key, Flight<V> mine) {
    Flight<V> other = flights.putIfAbsent(key, mine);
    return other != null && other.isOverdue() && flights.replace(key, other, mine) ? null : other;
  }

  private Optional<V> fly(
      K key, CacheLoader<? super K, ? extends V> loader, Flight<V> mine, long deadline)
      throws InterruptedException {
    try {
      return loadLocked(key, loader, mine, deadline);
    } catch (CacheWaitException e) {
      throw e; // the limit of this caller; others may have longer
    } catch (RuntimeException | Error e) {
      mine.fail(e);
      throw e;
    } finally {
      end(key, mine);
    }
  }

  /** Forgets a flight before it ends, so that nobody who tries again finds it. */
  private void end(K key, Flight<V> mine) {
    flights.remove(key, mine);
    mine.end();
  }

  /** Throws what a thread that waited for another's failure is to throw. */
  private static void throwFor(Object key, @Nullable Throwable failure) {
    if (failure instanceof CacheLoadException e) {
      throw failed(key, Objects.requireNonNull(e.getCause()));
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure != null) {
      throw failed(key, failure);
    }
  }

  private static CacheLoadException failed(Object key, Throwable cause) {
    return new CacheLoadException("the loader of '" + key + "' failed: " + cause, cause);
  }

  // ------------------------------------------------------------- one process

  private Optional<V> loadLocked(
      K key, CacheLoader<? super K, ? extends V> loader, Flight<V> mine, long deadline)
      throws InterruptedException {
    Lease lease;
    try {
      lease = acquire(key, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    } catch (StoreUnavailableException e) {
      if (options.isLoadingWithoutLock()) {
        return late(key, loader, mine);
      }
      throw e;
    }
    return lease == null ? late(key, loader, mine) : readOrLoad(key, loader, mine, lease);
  }

  /**
   * Ends the flight before it releases the lock: an invalidation waits for the lock, and a thread
   * that asks after it must not find what was loaded before. For the same reason the value is only
   * for threads that joined while the lease was valid.
   */
  private Optional<V> readOrLoad(
      K key, CacheLoader<? super K, ? extends V> loader, Flight<V> mine, Lease lease)
      throws InterruptedException {
    try {
      mine.begin();
      CacheEntry<V> entry = store.getShared(key);
      Optional<V> value =
          entry != null && !isStale(entry) ? entry.content() : load(key, loader, lease::isValid);
      flights.remove(key, mine);
      if (lease.isValid()) {
        mine.land(value);
      }
      return value;
    } catch (RuntimeException | Error e) {
      mine.fail(e);
      throw e;
    } finally {
      end(key, mine);
      release(lease);
    }
  }

  private Optional<V> late(K key, CacheLoader<? super K, ? extends V> loader, Flight<V> mine)
      throws InterruptedException {
    if (!options.isLoadingWithoutLock()) {
      throw tooLong(key);
    }
    mine.begin();
    Optional<V> value = load(key, loader, () -> true);
    mine.land(value);
    return value;
  }

  private CacheWaitException tooLong(K key) {
    return new CacheWaitException(
        "'"
            + key
            + "' of "
            + name
            + " is still being loaded after "
            + DurationText.of(options.maxWait()));
  }

  private Optional<V> load(
      K key, CacheLoader<? super K, ? extends V> loader, BooleanSupplier mayWrite)
      throws InterruptedException {
    V value;
    try {
      value = loader.load(key);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw failed(key, e);
    }
    Duration timeToLive = value == null ? options.absentTimeToLive() : jittered();
    if (!timeToLive.isZero() && mayWrite.getAsBoolean()) {
      write(key, value, timeToLive);
    }
    return Optional.ofNullable(value);
  }

  private Duration jittered() {
    long nanos = options.timeToLive().toNanos();
    long less = (long) (nanos * options.jitter() * random.nextDouble());
    return Duration.ofNanos(nanos - less).plus(options.staleTime());
  }

  /** Writes what was loaded; who asked for it gets it in any case. */
  private void write(K key, @Nullable V value, Duration timeToLive) {
    try {
      store.put(key, value, timeToLive);
    } catch (Throwable e) {
      LOG.log(Level.WARNING, "the value of '" + key + "' could not be cached", e);
    }
  }

  /** Returns null if the wait was not long enough. */
  private @Nullable Lease acquire(K key, Duration wait) throws InterruptedException {
    AcquireOptions acquisition =
        AcquireOptions.defaults().withWait(wait).withFixedLease(options.loadLease());
    try {
      return keeper.lock(lockName(key)).acquire(acquisition);
    } catch (AcquireTimeoutException e) {
      return null;
    }
  }

  /** Returns a name that any key can have: two keys of one name only wait for each other. */
  private String lockName(K key) {
    String text = key.toString();
    boolean isPlain = text.length() <= 100 && text.chars().allMatch(c -> c > ' ' && c < 127);
    return name
        + ":"
        + (isPlain ? text : UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static void release(Lease lease) {
    try {
      lease.release();
    } catch (LeaseLostException late) {
      // the value was not written, or it was while the lease was valid
    }
  }

  // ------------------------------------------------------------- stale values

  private Optional<V> refresh(
      K key, CacheEntry<V> stale, CacheLoader<? super K, ? extends V> loader) {
    Flight<V> mine = newFlight();
    if (join(key, mine) == null) {
      try {
        refresher.execute(() -> refreshNow(key, loader, mine));
      } catch (Throwable e) { // an Error too: the caller has a value
        end(key, mine);
        LOG.log(Level.WARNING, "the stale value of '" + key + "' is not refreshed", e);
      }
    }
    Flight.Landed<V> landed = mine.landed(); // if the executor is the calling thread
    return landed == null ? stale.content() : landed.content();
  }

  private void refreshNow(K key, CacheLoader<? super K, ? extends V> loader, Flight<V> mine) {
    try {
      Lease lease = acquire(key, Duration.ZERO);
      if (lease != null) { // otherwise another process refreshes it
        readOrLoad(key, loader, mine, lease);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) { // as above
      LOG.log(Level.WARNING, "the stale value of '" + key + "' could not be refreshed", e);
    } finally {
      end(key, mine);
    }
  }

  // ------------------------------------------------------------- building

  /**
   * A guard in the making.
   *
   * @param <K> the keys
   * @param <V> the values
   */
  public static final class Builder<K, V> {

    private final Lockkeeper keeper;
    private final CacheStore<K, V> store;
    private String name = "cache";
    private CacheGuardOptions options = CacheGuardOptions.defaults();
    private KeyFilter<? super K> filter = key -> true;
    private @Nullable Function<? super K, Optional<V>> fallback;
    private Executor refresher = Runnable::run;
    private RandomGenerator random = new java.util.Random();

    private Builder(Lockkeeper keeper, CacheStore<K, V> store) {
      this.keeper = Objects.requireNonNull(keeper, "keeper");
      this.store = Objects.requireNonNull(store, "store");
    }

    /**
     * Sets with what the names of its locks begin, {@code cache} by default; a colon and the key
     * follow. Guards of different caches need different names.
     *
     * @param name 1 to 100 characters
     * @throws IllegalArgumentException if it has fewer or more
     */
    public Builder<K, V> name(String name) {
      if (name.isEmpty() || name.length() > 100) {
        throw new IllegalArgumentException(
            "a name must have 1 to 100 characters, has " + name.length());
      }
      this.name = name;
      return this;
    }

    /** Sets the options. */
    public Builder<K, V> options(CacheGuardOptions options) {
      this.options = Objects.requireNonNull(options, "options");
      return this;
    }

    /** Sets a filter of the keys that have no value; there is none by default. */
    public Builder<K, V> filter(KeyFilter<? super K> filter) {
      this.filter = Objects.requireNonNull(filter, "filter");
      return this;
    }

    /**
     * Sets what a caller gets whose wait is over, or who finds neither a value nor the store of the
     * locks, instead of the exception: a default, what another cache has, or what can be made
     * without the database. It is not cached, and a loader that fails is not a case for it.
     *
     * @param fallback runs on the caller's thread; what it throws is thrown to the caller
     */
    public Builder<K, V> fallback(Function<? super K, Optional<V>> fallback) {
      this.fallback = Objects.requireNonNull(fallback, "fallback");
      return this;
    }

    /**
     * Sets what runs the loader for a stale value; by default the first caller that finds it stale
     * does, and only the others go on at once.
     */
    public Builder<K, V> refreshOn(Executor refresher) {
      this.refresher = Objects.requireNonNull(refresher, "refresher");
      return this;
    }

    /**
     * Returns the guard.
     *
     * @throws IllegalStateException if there is a fallback and {@linkplain
     *     CacheGuardOptions#withLoadingWithoutLock the options} have the same callers load
     */
    public CacheGuard<K, V> build() {
      if (fallback != null && options.isLoadingWithoutLock()) {
        throw new IllegalStateException("a fallback and loading without the lock: choose one");
      }
      return new CacheGuard<>(this);
    }
  }
}
