package io.lockkeeper.micrometer;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockObserver.Ending;
import io.lockkeeper.LockObserver.Via;
import io.lockkeeper.ResourceKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The meters of one kind and one tag {@code lock}, in all registries: looked up once and kept,
 * because a look-up takes longer than what is measured.
 */
final class Meters {

  private final Tags tags;
  private final Underway underway = new Underway();
  private final Set<MeterRegistry> registries = ConcurrentHashMap.newKeySet();
  private final List<Bound> all = new CopyOnWriteArrayList<>();

  /** How a hold ended. */
  enum HoldOutcome {
    RELEASED,
    LOST
  }

  /** How a renewal ended. */
  private enum Renewal {
    RENEWED,
    FAILED
  }

  Meters(ResourceKind kind, String lock) {
    tags = Tags.of("lock", lock, "kind", word(kind));
  }

  /** Registers the meters, unless they are there. */
  void bindTo(MeterRegistry registry) {
    if (registries.add(registry)) {
      all.add(new Bound(registry));
    }
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the requests and holds that go on. */
  Underway underway() {
    return underway;
  }

  void acquired(Via via, long nanos) {
    for (Bound bound : all) {
      bound.acquired.of(via).record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  void ended(Ending why, long nanos) {
    for (Bound bound : all) {
      bound.ended.of(why).record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  void over(HoldOutcome outcome, long nanos) {
    for (Bound bound : all) {
      bound.held.of(outcome).record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  void lost(LeaseLost.Reason reason) {
    for (Bound bound : all) {
      bound.counter(reason).increment();
    }
  }

  void renewed() {
    for (Bound bound : all) {
      bound.counter(Renewal.RENEWED).increment();
    }
  }

  void renewalFailed() {
    for (Bound bound : all) {
      bound.counter(Renewal.FAILED).increment();
    }
  }

  void deadlock() {
    for (Bound bound : all) {
      bound.deadlocks.increment();
    }
  }

  /** The meters in one registry. */
  private final class Bound {

    private final Timers<Via> acquired;
    private final Timers<Ending> ended;
    private final Timers<HoldOutcome> held;
    private final Map<Enum<?>, Counter> counters = new ConcurrentHashMap<>();
    private final Counter deadlocks;

    Bound(MeterRegistry registry) {
      acquired =
          new Timers<>(
              Via.class,
              via ->
                  registry.timer(
                      "lockkeeper.acquire", tags.and("via", word(via), "outcome", "acquired")));
      ended =
          new Timers<>(
              Ending.class,
              why ->
                  registry.timer(
                      "lockkeeper.acquire", tags.and("via", "none", "outcome", word(why))));
      held =
          new Timers<>(
              HoldOutcome.class,
              outcome -> registry.timer("lockkeeper.hold", tags.and("outcome", word(outcome))));
      Gauge.builder("lockkeeper.waiting", underway, Underway::waiting)
          .description("requests that wait")
          .tags(tags)
          .register(registry);
      Gauge.builder("lockkeeper.held", underway, Underway::held)
          .description("holds")
          .tags(tags)
          .register(registry);
      TimeGauge.builder(
              "lockkeeper.hold.oldest", underway, TimeUnit.NANOSECONDS, Underway::oldestNanos)
          .description("the time for which the oldest hold has lasted")
          .tags(tags)
          .register(registry);
      deadlocks = registry.counter("lockkeeper.deadlocks", tags);
      for (LeaseLost.Reason reason : LeaseLost.Reason.values()) {
        counters.put(reason, registry.counter("lockkeeper.lost", tags.and("reason", word(reason))));
      }
      for (Renewal outcome : Renewal.values()) {
        counters.put(
            outcome, registry.counter("lockkeeper.renewals", tags.and("outcome", word(outcome))));
      }
      ended.of(Ending.UNAVAILABLE);
    }

    Counter counter(Enum<?> what) {
      return Objects.requireNonNull(counters.get(what));
    }
  }

  /**
   * The timers of the outcomes of one kind, each registered when it is first needed: by an array,
   * because this is on the way of every acquisition.
   */
  private static final class Timers<E extends Enum<E>> {

    private final Function<E, Timer> register;

    /**
     * Replaced by one with one more. One that gets lost by that is registered, and found, again.
     */
    private volatile EnumMap<E, Timer> known;

    /**
     * Creates it.
     *
     * @param register makes a timer, or returns the one that is there
     */
    Timers(Class<E> outcomes, Function<E, Timer> register) {
      this.register = register;
      known = new EnumMap<>(outcomes);
    }

    Timer of(E outcome) {
      Timer timer = known.get(outcome);
      return timer != null ? timer : register(outcome);
    }

    private Timer register(E outcome) {
      Timer timer = register.apply(outcome);
      EnumMap<E, Timer> more = new EnumMap<>(known);
      more.put(outcome, timer);
      known = more;
      return timer;
    }
  }
}
