package io.lockkeeper.micrometer;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
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
 * <p>Thread-safe.
 */
public final class ObservedLocks implements LockObserver {

  private final ObservationRegistry registry;
  private final UnaryOperator<String> template;

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
    this.registry = Objects.requireNonNull(registry, "registry");
    this.template = Objects.requireNonNull(template, "template");
  }

  @Override
  public @Nullable Attempt begin(Request request) {
    if (registry.isNoop()) {
      return null;
    }
    return new Observed(request, observation("lockkeeper.lock.acquire", request).start());
  }

  private Observation observation(String name, Request request) {
    return Observation.createNotStarted(name, registry)
        .contextualName(name.substring("lockkeeper.".length()).replace('.', ' '))
        .lowCardinalityKeyValue("lock", template.apply(request.name()))
        .lowCardinalityKeyValue("kind", word(request.kind()))
        .lowCardinalityKeyValue("mode", word(request.mode()))
        .highCardinalityKeyValue("lockkeeper.lock.name", request.name());
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** One attempt and its hold. */
  private final class Observed implements Attempt {

    private final Request request;
    private final Observation acquiring;
    private volatile @Nullable Observation holding;

    Observed(Request request, Observation acquiring) {
      this.request = request;
      this.acquiring = acquiring;
    }

    @Override
    public void acquired(Lease lease, Via via) {
      String token = Long.toString(lease.token());
      acquiring
          .lowCardinalityKeyValue("via", word(via))
          .lowCardinalityKeyValue("outcome", "acquired")
          .highCardinalityKeyValue("lockkeeper.token", token)
          .stop();
      if (via == Via.REENTRY) {
        return;
      }
      Observation hold =
          observation("lockkeeper.lock.hold", request)
              .highCardinalityKeyValue("lockkeeper.token", token);
      if (acquiring.getContext().getParentObservation() instanceof Observation parent) {
        hold.parentObservation(parent);
      }
      holding = hold.start();
    }

    @Override
    public void ended(Ending why, @Nullable Throwable failure) {
      acquiring.lowCardinalityKeyValue("via", "none").lowCardinalityKeyValue("outcome", word(why));
      if (failure != null) {
        acquiring.error(failure);
      }
      acquiring.stop();
    }

    @Override
    public void released() {
      over("released", null);
    }

    @Override
    public void lost(LeaseLost loss) {
      over("lost", loss);
    }

    private void over(String outcome, @Nullable LeaseLost loss) {
      Observation hold = holding;
      if (hold == null) {
        return;
      }
      hold.lowCardinalityKeyValue("outcome", outcome);
      if (loss != null) {
        hold.error(new LeaseLostException(loss));
      }
      hold.stop();
    }
  }
}
