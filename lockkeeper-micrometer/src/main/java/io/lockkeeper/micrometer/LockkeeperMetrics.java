package io.lockkeeper.micrometer;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import io.lockkeeper.LockObserver;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of a client's locks: an observer and a listener of the client.
 *
 * <pre>{@code
 * LockkeeperMetrics metrics = new LockkeeperMetrics();
 * Lockkeeper keeper =
 *     Lockkeeper.builder().observer(metrics).listener(metrics).connect("redis://localhost");
 * metrics.bindTo(registry);
 * metrics.watch(keeper);
 * }</pre>
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name<th>type<th>tags
 * <tr><td>{@code lockkeeper.acquire}<td>timer<td>lock, kind, via, outcome
 * <tr><td>{@code lockkeeper.hold}<td>timer<td>lock, kind, outcome
 * <tr><td>{@code lockkeeper.waiting}, {@code lockkeeper.held}<td>gauge<td>lock, kind
 * <tr><td>{@code lockkeeper.lost}<td>counter<td>lock, kind, reason
 * <tr><td>{@code lockkeeper.renewals}, {@code lockkeeper.deadlocks}<td>counter<td>lock, kind
 * <tr><td>{@code lockkeeper.events.dropped}<td>counter<td>
 * </table>
 *
 * <p>The tag {@code lock} is {@code none} unless a template is given: names of locks are mostly
 * without limit, and each would be a time series of its own. Re-entries are not measured.
 *
 * <p>What happens before it is bound to a registry is not measured. Thread-safe.
 */
public final class LockkeeperMetrics implements MeterBinder, LockObserver, LockListener {

  private static final String NO_TEMPLATE = "none";

  private final UnaryOperator<String> template;
  private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();
  private final Map<Tags, Levels> levels = new ConcurrentHashMap<>();

  private final List<Lockkeeper> watched = new CopyOnWriteArrayList<>();

  /** How many there are now. */
  private record Levels(AtomicInteger waiting, AtomicInteger held) {}

  /** Creates metrics whose tag {@code lock} is always {@code none}. */
  public LockkeeperMetrics() {
    this(name -> NO_TEMPLATE);
  }

  /**
   * Creates metrics.
   *
   * @param template makes of a lock's name the tag {@code lock}: one of a few texts, such as {@code
   *     stock:{}} for {@code stock:1001}
   */
  public LockkeeperMetrics(UnaryOperator<String> template) {
    this.template = Objects.requireNonNull(template, "template");
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    registries.add(registry);
    levels.forEach((tags, level) -> register(registry, tags, level));
    if (!watched.isEmpty()) {
      countDropped(registry);
    }
  }

  /** Also counts the {@linkplain Lockkeeper#droppedEvents events that a client has dropped}. */
  public void watch(Lockkeeper keeper) {
    watched.add(Objects.requireNonNull(keeper, "keeper"));
    each(this::countDropped);
  }

  private void countDropped(MeterRegistry registry) {
    FunctionCounter.builder(
            "lockkeeper.events.dropped",
            watched,
            all -> all.stream().mapToLong(Lockkeeper::droppedEvents).sum())
        .description("events that a listener did not get, because it did not keep up")
        .register(registry);
  }

  private Tags tags(ResourceKind kind, String name) {
    return Tags.of("lock", template.apply(name), "kind", word(kind));
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private Levels levels(Tags tags) {
    return levels.computeIfAbsent(
        tags,
        absent -> {
          Levels made = new Levels(new AtomicInteger(), new AtomicInteger());
          registries.forEach(registry -> register(registry, tags, made));
          return made;
        });
  }

  private static void register(MeterRegistry registry, Tags tags, Levels level) {
    Gauge.builder("lockkeeper.waiting", level.waiting(), AtomicInteger::get)
        .description("requests that wait")
        .tags(tags)
        .register(registry);
    Gauge.builder("lockkeeper.held", level.held(), AtomicInteger::get)
        .description("holds")
        .tags(tags)
        .register(registry);
  }

  @Override
  public @Nullable Attempt begin(Request request) {
    if (registries.isEmpty()) {
      return null;
    }
    Tags tags = tags(request.kind(), request.name());
    return new Measured(tags, levels(tags));
  }

  @Override
  public void onEvent(LockEvent event) {
    if (event instanceof LockEvent.Renewed) {
      count("lockkeeper.renewals", tags(event.kind(), event.name()));
    } else if (event instanceof LockEvent.Deadlock) {
      count("lockkeeper.deadlocks", tags(event.kind(), event.name()));
    } else if (event instanceof LockEvent.Lost lost) {
      count("lockkeeper.lost", tags(event.kind(), event.name()).and("reason", word(lost.reason())));
    }
  }

  private void count(String name, Tags tags) {
    each(registry -> registry.counter(name, tags).increment());
  }

  private void time(String name, Tags tags, long sinceNanos) {
    Duration time = Duration.ofNanos(System.nanoTime() - sinceNanos);
    each(registry -> registry.timer(name, tags).record(time));
  }

  private void each(Consumer<MeterRegistry> action) {
    registries.forEach(action);
  }

  /** One attempt and its hold. */
  private final class Measured implements Attempt {

    private final Tags tags;
    private final Levels level;
    private final long askedNanos = System.nanoTime();
    private volatile long acquiredNanos;

    Measured(Tags tags, Levels level) {
      this.tags = tags;
      this.level = level;
      level.waiting().incrementAndGet();
    }

    @Override
    public void acquired(Lease lease, Via via) {
      level.waiting().decrementAndGet();
      if (via == Via.REENTRY) {
        return;
      }
      level.held().incrementAndGet();
      acquiredNanos = System.nanoTime();
      time("lockkeeper.acquire", tags.and("via", word(via), "outcome", "acquired"), askedNanos);
    }

    @Override
    public void ended(Ending why, @Nullable Throwable failure) {
      level.waiting().decrementAndGet();
      time("lockkeeper.acquire", tags.and("via", "none", "outcome", word(why)), askedNanos);
    }

    @Override
    public void released() {
      over("released");
    }

    @Override
    public void lost(LeaseLost loss) {
      over("lost");
    }

    private void over(String outcome) {
      level.held().decrementAndGet();
      time("lockkeeper.hold", tags.and("outcome", outcome), acquiredNanos);
    }
  }
}
