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
              Via.class, via -> waited(registry, Tags.of("via", word(via), "outcome", "acquired")));
      ended =
          new Timers<>(
              Ending.class, why -> waited(registry, Tags.of("via", "none", "outcome", word(why))));
      held =
          new Timers<>(
              HoldOutcome.class,
              outcome ->
                  Timer.builder("lockkeeper.hold")
                      .description("how long what was acquired was held")
                      .tags(tags.and("outcome", word(outcome)))
                      .register(registry));
      Gauge.builder("lockkeeper.waiting", underway, Underway::waiting)
          .description("requests that wait now")
          .tags(tags)
          .register(registry);
      Gauge.builder("lockkeeper.held", underway, Underway::held)
          .description("holds that last now")
          .tags(tags)
          .register(registry);
      TimeGauge.builder(
              "lockkeeper.hold.oldest", underway, TimeUnit.NANOSECONDS, Underway::oldestNanos)
          .description("how long the oldest hold has lasted")
          .tags(tags)
          .register(registry);
      deadlocks =
          counter(
              registry,
              "lockkeeper.deadlocks",
              "threads of this client found in a deadlock",
              Tags.empty());
      for (LeaseLost.Reason reason : LeaseLost.Reason.values()) {
        counters.put(
            reason,
            counter(
                registry,
                "lockkeeper.lost",
                "leases that ended before their release",
                Tags.of("reason", word(reason))));
      }
      for (Renewal outcome : Renewal.values()) {
        counters.put(
            outcome,
            counter(
                registry,
                "lockkeeper.renewals",
                "renewals of leases, and those that got no answer",
                Tags.of("outcome", word(outcome))));
      }
      ended.of(Ending.UNAVAILABLE);
    }

    private Timer waited(MeterRegistry registry, Tags outcome) {
      return Timer.builder("lockkeeper.acquire")
          .description("how long requests waited until they were granted or ended")
          .tags(tags.and(outcome))
          .register(registry);
    }

    private Counter counter(MeterRegistry registry, String name, String description, Tags outcome) {
      return Counter.builder(name)
          .description(description)
          .tags(tags.and(outcome))
          .register(registry);
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
