package io.lockkeeper.micrometer;

import static io.lockkeeper.micrometer.Meters.word;

import io.lockkeeper.micrometer.LockObservationDocumentation.AcquireKeys;
import io.lockkeeper.micrometer.LockObservationDocumentation.CommonKeys;
import io.lockkeeper.micrometer.LockObservationDocumentation.HighCardinalityKeys;
import io.lockkeeper.micrometer.LockObservationDocumentation.HoldKeys;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** The names and keys that {@link LockObservationDocumentation} lists. */
public class DefaultLockObservationConvention implements LockObservationConvention {

  private final LockObservationDocumentation observation;
  private final UnaryOperator<String> template;

  /**
   * Creates a convention.
   *
   * @param observation what it is for
   * @param template makes of a lock's name the key {@code lock}: one of a few texts
   */
  public DefaultLockObservationConvention(
      LockObservationDocumentation observation, UnaryOperator<String> template) {
    this.observation = Objects.requireNonNull(observation, "observation");
    this.template = Objects.requireNonNull(template, "template");
  }

  @Override
  public String getName() {
    return "lockkeeper.lock." + word(observation);
  }

  @Override
  public String getContextualName(LockObservationContext context) {
    return "lock " + word(observation);
  }

  @Override
  public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
    KeyValues common =
        KeyValues.of(
            CommonKeys.LOCK.withValue(template.apply(context.request().name())),
            CommonKeys.KIND.withValue(word(context.request().kind())),
            CommonKeys.MODE.withValue(word(context.request().mode())));
    return switch (observation) {
      case ACQUIRE ->
          common.and(
              AcquireKeys.VIA.withValue(
                  context.via().map(Meters::word).orElse(KeyValue.NONE_VALUE)),
              AcquireKeys.OUTCOME.withValue(context.outcome()));
      case HOLD -> common.and(HoldKeys.OUTCOME.withValue(context.outcome()));
    };
  }

  @Override
  public KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
    KeyValues name = KeyValues.of(HighCardinalityKeys.NAME.withValue(context.request().name()));
    return context.token().isEmpty()
        ? name
        : name.and(HighCardinalityKeys.TOKEN.withValue(Long.toString(context.token().getAsLong())));
  }
}
