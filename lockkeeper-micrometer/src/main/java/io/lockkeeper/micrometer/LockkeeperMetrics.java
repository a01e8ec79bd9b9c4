package io.lockkeeper.micrometer;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import io.lockkeeper.LockObserver;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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
 * <tr><td>{@code lockkeeper.hold.oldest}<td>time gauge<td>lock, kind
 * <tr><td>{@code lockkeeper.waiting}, {@code lockkeeper.held}<td>gauge<td>lock, kind
 * <tr><td>{@code lockkeeper.lost}<td>counter<td>lock, kind, reason
 * <tr><td>{@code lockkeeper.renewals}<td>counter<td>lock, kind, outcome
 * <tr><td>{@code lockkeeper.deadlocks}<td>counter<td>lock, kind
 * <tr><td>{@code lockkeeper.events.dropped}<td>counter<td>
 * </table>
 *
 * <p>The tag {@code lock} is {@code none} unless a template is given: names of locks are mostly
 * without limit, and each would be a time series of its own. Re-entries are not measured.
 *
 * <p>Counters are there, with zero, from the first request of a tag {@code lock} on, so that an
 * alert sees the first loss too. What happens before it is bound to a registry is not measured.
 * Thread-safe.
 */
public final class LockkeeperMetrics implements MeterBinder, LockObserver, LockListener {

  private static final String NO_TEMPLATE = "none";
  private static final Set<Class<? extends LockEvent>> HEARD =
      Set.of(
          LockEvent.Renewed.class,
          LockEvent.RenewalFailed.class,
          LockEvent.Deadlock.class,
          LockEvent.Lost.class);

  private final UnaryOperator<String> template;
  private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();
  private final Map<MetersKey, Meters> meters = new ConcurrentHashMap<>();
  private final List<Lockkeeper> watched = new CopyOnWriteArrayList<>();

  /** The tags and names that the meters of one object have in common. */
  private record MetersKey(ResourceKind kind, String lock) {}

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
    meters.values().forEach(each -> each.bindTo(registry));
    if (!watched.isEmpty()) {
      countDropped(registry);
    }
  }

  /** Also counts the {@linkplain Lockkeeper#droppedEvents events that a client has dropped}. */
  public void watch(Lockkeeper keeper) {
    watched.add(Objects.requireNonNull(keeper, "keeper"));
    registries.forEach(this::countDropped);
  }

  private void countDropped(MeterRegistry registry) {
    FunctionCounter.builder(
            "lockkeeper.events.dropped",
            watched,
            all -> all.stream().mapToLong(Lockkeeper::droppedEvents).sum())
        .description("events that a listener did not get, because it did not keep up")
        .register(registry);
  }

  private Meters meters(ResourceKind kind, String name) {
    MetersKey key = new MetersKey(kind, template.apply(name));
    Meters known = meters.get(key);
    if (known != null) {
      return known;
    }
    Meters made = meters.computeIfAbsent(key, absent -> new Meters(kind, absent.lock()));
    registries.forEach(made::bindTo); // in the map first, so that a registry that comes now sees it
    return made;
  }

  @Override
  public @Nullable Attempt begin(Request request) {
    return registries.isEmpty() ? null : new Measured(meters(request.kind(), request.name()));
  }

  /** The observer sees the others. */
  @Override
  public boolean wants(Class<? extends LockEvent> kind) {
    return HEARD.contains(kind);
  }

  @Override
  public void onEvent(LockEvent event) {
    if (registries.isEmpty()) {
      return;
    }
    if (event instanceof LockEvent.Renewed) {
      meters(event.kind(), event.name()).renewed();
    } else if (event instanceof LockEvent.RenewalFailed) {
      meters(event.kind(), event.name()).renewalFailed();
    } else if (event instanceof LockEvent.Deadlock) {
      meters(event.kind(), event.name()).deadlock();
    } else if (event instanceof LockEvent.Lost lost) {
      meters(event.kind(), event.name()).lost(lost.reason());
    }
  }

  /** One attempt and its hold. */
  private static final class Measured implements Attempt, Meters.Hold {

    private final Meters meters;
    private final long askedNanos = System.nanoTime();
    private volatile long acquiredNanos;

    Measured(Meters meters) {
      this.meters = meters;
      meters.begun();
    }

    @Override
    public void acquired(Lease lease, Via via) {
      meters.answered();
      if (via == Via.REENTRY) {
        return;
      }
      acquiredNanos = System.nanoTime();
      meters.begun(this);
      meters.acquired(via, acquiredNanos - askedNanos);
    }

    @Override
    public long sinceNanos() {
      return acquiredNanos;
    }

    @Override
    public void ended(Ending why, @Nullable Throwable failure) {
      meters.answered();
      meters.ended(why, System.nanoTime() - askedNanos);
    }

    @Override
    public void released() {
      over(Meters.HoldOutcome.RELEASED);
    }

    @Override
    public void lost(LeaseLost loss) {
      over(Meters.HoldOutcome.LOST);
    }

    private void over(Meters.HoldOutcome outcome) {
      meters.over(this);
      meters.over(outcome, System.nanoTime() - acquiredNanos);
    }
  }
}
