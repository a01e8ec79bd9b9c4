package io.lockkeeper.micrometer;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Observations of a client's locks, for traces: {@code lockkeeper.lock.acquire} from the request to
 * the lock, {@code lockkeeper.lock.hold} from there to the release. Their parent is the observation
 * of the thread that asks.
 *
 * <p>Low-cardinality keys are {@code lock} (a template, {@code none} by default), {@code kind},
 * {@code mode}, {@code via} and {@code outcome}; the name, {@code lockkeeper.lock.name}, and the
 * token, {@code lockkeeper.token}, are high-cardinality keys.
 *
 * <p>{@link LockObservationDocumentation} lists them; a {@link LockObservationConvention}, here or
 * in the registry's configuration, gives other names and keys.
 *
 * <p>Thread-safe.
 */
public final class ObservedLocks implements LockObserver {

  private final ObservationRegistry registry;
  private final LockObservationConvention acquire;
  private final LockObservationConvention hold;
  private final boolean isCustom;

  /** Creates an observer whose key {@code lock} is always {@code none}. */
  public ObservedLocks(ObservationRegistry registry) {
    this(registry, name -> "none");
  }

  /**
   * Creates an observer.
   *
   * @param template makes of a lock's name the key {@code lock}: one of a few texts
   */
  public ObservedLocks(ObservationRegistry registry, UnaryOperator<String> template) {
    this(
        registry,
        new DefaultLockObservationConvention(LockObservationDocumentation.ACQUIRE, template),
        new DefaultLockObservationConvention(LockObservationDocumentation.HOLD, template),
        false);
  }

  /**
   * Creates an observer with conventions of its own, which come before those of the registry's
   * configuration.
   *
   * @param acquire names and keys of attempts
   * @param hold names and keys of holds
   */
  public ObservedLocks(
      ObservationRegistry registry,
      LockObservationConvention acquire,
      LockObservationConvention hold) {
    this(registry, acquire, hold, true);
  }

  private ObservedLocks(
      ObservationRegistry registry,
      LockObservationConvention acquire,
      LockObservationConvention hold,
      boolean isCustom) {
    this.registry = Objects.requireNonNull(registry, "registry");
    this.acquire = Objects.requireNonNull(acquire, "acquire");
    this.hold = Objects.requireNonNull(hold, "hold");
    this.isCustom = isCustom;
  }

  @Override
  public @Nullable Attempt begin(Request request) {
    if (registry.isNoop()) {
      return null;
    }
    LockObservationContext context =
        new LockObservationContext(LockObservationDocumentation.ACQUIRE, request);
    return new Observed(context, observation(context, acquire).start());
  }

  private Observation observation(
      LockObservationContext context, LockObservationConvention convention) {
    return isCustom
        ? Observation.createNotStarted(convention, () -> context, registry)
        : context.observation().observation(null, convention, () -> context, registry);
  }

  /** One attempt and its hold. */
  private final class Observed implements Attempt {

    private final LockObservationContext attempt;
    private final Observation acquiring;
    private volatile @Nullable Holding holding;

    Observed(LockObservationContext attempt, Observation acquiring) {
      this.attempt = attempt;
      this.acquiring = acquiring;
    }

    @Override
    public void acquired(Lease lease, Via via, long waitedNanos) {
      attempt.acquired(lease.token(), via);
      attempt.over("acquired");
      acquiring.stop();
      if (via == Via.REENTRY) {
        return;
      }
      LockObservationContext context =
          new LockObservationContext(LockObservationDocumentation.HOLD, attempt.request());
      context.acquired(lease.token(), via);
      Observation held = observation(context, hold);
      if (attempt.getParentObservation() instanceof Observation parent) {
        held.parentObservation(parent);
      }
      holding = new Holding(context, held.start());
    }

    @Override
    public void ended(Ending why, @Nullable Throwable failure, long waitedNanos) {
      attempt.over(Meters.word(why));
      if (failure != null) {
        acquiring.error(failure);
      }
      acquiring.stop();
    }

    @Override
    public void released(long heldNanos) {
      over("released", null);
    }

    @Override
    public void lost(LeaseLost loss, long heldNanos) {
      over("lost", loss);
    }

    private void over(String outcome, @Nullable LeaseLost loss) {
      Holding over = holding;
      if (over == null) {
        return;
      }
      over.context.over(outcome);
      if (loss != null) {
        over.observation.error(new LeaseLostException(loss));
      }
      over.observation.stop();
    }
  }

  private record Holding(LockObservationContext context, Observation observation) {}
}
