package io.lockkeeper.engine.runtime;

import io.lockkeeper.engine.policy.Instants;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a coordinator for each thing of one type that a client uses; it leaves when it has been
 * idle for a while.
 *
 * @param <K> what the store knows such a thing by
 * @param <C> the coordinators
 */
public final class Coordinators<K, C extends Coordinator> {

  private static final long BROKEN_NANOS = 1_000_000_000L;

  private final ClientRuntime runtime;
  private final BiFunction<K, Draining<Coordinator>, C> create;
  private final ConcurrentHashMap<K, C> coordinators = new ConcurrentHashMap<>();
  private final Draining<Coordinator> draining = new Draining<>();

  /**
   * Creates it without any.
   *
   * @param create creates a coordinator
   */
  public Coordinators(ClientRuntime runtime, BiFunction<K, Draining<Coordinator>, C> create) {
    this.runtime = runtime;
    this.create = create;
  }

  /** Returns a coordinator; it may retire at any moment, and then says so. */
  public C of(K key) {
    C known = coordinators.get(key);
    return known != null
        ? known
        : coordinators.computeIfAbsent(key, absent -> create.apply(absent, draining));
  }

  /** Replaces a coordinator that has retired. */
  public C after(K key, C retired) {
    coordinators.remove(key, retired);
    return of(key);
  }

  /**
   * Enters a coordinator, which it returns.
   *
   * @param entry returns false if the coordinator has retired
   */
  public C enter(K key, Predicate<C> entry) {
    C coordinator = of(key);
    while (!entry.test(coordinator)) {
      coordinator = after(key, coordinator);
    }
    return coordinator;
  }

  /** Returns a coordinator if there is one. */
  public @Nullable C existing(K key) {
    return coordinators.get(key);
  }

  /** Returns all that there are. */
  public Collection<C> all() {
    return coordinators.values();
  }

  /** Asks everything again. */
  public void reconnected() {
    coordinators.values().forEach(each -> runtime.guarded(each.name(), each::reconnected));
  }

  /**
   * Does what is due; returns when something is due next.
   *
   * @param tick does what is due at one coordinator; returns false if that has retired
   */
  public long scan(Predicate<C> tick) {
    long due = Instants.NEVER;
    for (Map.Entry<K, C> each : coordinators.entrySet()) {
      due = Math.min(due, tickIfDue(each.getKey(), each.getValue(), tick));
    }
    return due;
  }

  private long tickIfDue(K key, C each, Predicate<C> tick) {
    try {
      if (each.dueNanos() <= runtime.now() && !tick.test(each)) {
        coordinators.remove(key, each);
      }
      return each.dueNanos();
    } catch (Throwable broken) { // an error too: the others have something to do
      runtime.reportFailure("'" + each.name() + "': cannot do what is due", broken);
      return runtime.now() + BROKEN_NANOS;
    }
  }

  /** Ends all waits and holds; returns the coordinators. */
  public List<C> close() {
    List<C> all = List.copyOf(coordinators.values());
    draining.begin(all); // all of them first: the last one to be drained ends the wait
    for (C each : all) {
      runtime.guarded(each.name(), () -> close(each));
    }
    return all;
  }

  private void close(C each) {
    if (!each.close()) {
      draining.drained(each);
    }
  }

  /**
   * Waits until the store has confirmed everything that was given up by closing, at most so long;
   * returns whether it has.
   */
  public boolean awaitDrained(long nanos) {
    return draining.await(runtime, nanos);
  }
}
