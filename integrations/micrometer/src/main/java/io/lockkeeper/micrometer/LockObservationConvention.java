package io.lockkeeper.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * A convention for the names and keys of the observations of {@link ObservedLocks}. {@link
 * DefaultLockObservationConvention} can be extended.
 */
public interface LockObservationConvention extends ObservationConvention<LockObservationContext> {

  @Override
  default boolean supportsContext(Observation.Context context) {
    return context instanceof LockObservationContext;
  }
}
