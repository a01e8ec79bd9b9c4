package io.lockkeeper.micrometer;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import io.lockkeeper.LockObserver;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperAdmin;
import io.lockkeeper.ResourceKind;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.EnumMap;
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

  /** By the kind and the tag {@code lock}; has all kinds from the start. */
  private final Map<ResourceKind, Map<String, Meters>> meters = new EnumMap<>(ResourceKind.class);

  private final List<Lockkeeper> watched = new CopyOnWriteArrayList<>();

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
    for (ResourceKind kind : ResourceKind.values()) {
      meters.put(kind, new ConcurrentHashMap<>());
    }
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    registries.add(registry);
    meters.values().forEach(ofKind -> ofKind.values().forEach(each -> each.bindTo(registry)));
    if (!watched.isEmpty()) {
      countDropped(registry);
    }
  }

  /**
   * Also counts the {@linkplain LockkeeperAdmin#droppedEvents events that a client has dropped}.
   */
  public void watch(Lockkeeper keeper) {
    watched.add(Objects.requireNonNull(keeper, "keeper"));
    registries.forEach(this::countDropped);
  }

  private void countDropped(MeterRegistry registry) {
    FunctionCounter.builder(
            "lockkeeper.events.dropped",
            watched,
            all -> all.stream().mapToLong(keeper -> keeper.admin().droppedEvents()).sum())
        .description("events that a listener did not get, because it did not keep up")
        .register(registry);
  }

  private Meters meters(ResourceKind kind, String name) {
    Map<String, Meters> ofKind = Objects.requireNonNull(meters.get(kind));
    String lock = template.apply(name);
    Meters known = ofKind.get(lock);
    if (known != null) {
      return known;
    }
    Meters made = ofKind.computeIfAbsent(lock, absent -> new Meters(kind, absent));
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
  private static final class Measured implements Attempt {

    private final Meters meters;
    private final long place;

    Measured(Meters meters) {
      this.meters = meters;
      place = meters.underway().begun();
    }

    @Override
    public void acquired(Lease lease, Via via, long waitedNanos) {
      if (via == Via.REENTRY) {
        meters.underway().over(place);
        return;
      }
      meters.underway().held(place);
      meters.acquired(via, waitedNanos);
    }

    @Override
    public void ended(Ending why, @Nullable Throwable failure, long waitedNanos) {
      meters.underway().over(place);
      meters.ended(why, waitedNanos);
    }

    @Override
    public void released(long heldNanos) {
      over(Meters.HoldOutcome.RELEASED, heldNanos);
    }

    @Override
    public void lost(LeaseLost loss, long heldNanos) {
      over(Meters.HoldOutcome.LOST, heldNanos);
    }

    private void over(Meters.HoldOutcome outcome, long heldNanos) {
      meters.underway().over(place);
      meters.over(outcome, heldNanos);
    }
  }
}
