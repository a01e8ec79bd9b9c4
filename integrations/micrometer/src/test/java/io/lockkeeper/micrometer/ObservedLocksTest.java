package io.lockkeeper.micrometer;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.micrometer.common.KeyValues;
import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The life cycle of the observations, which the registry checks. */
@SuppressWarnings("LockNotBeforeTry") // what a failed test leaves locked ends with its client
class ObservedLocksTest {

  private static final String ACQUIRE = "lockkeeper.lock.acquire";
  private static final String HOLD = "lockkeeper.lock.hold";

  private final TestObservationRegistry registry = TestObservationRegistry.create();
  private Lockkeeper keeper = connect(new ObservedLocks(registry));

  private static Lockkeeper connect(ObservedLocks observer) {
    return Lockkeeper.builder().observer(observer).connect("memory:" + UUID.randomUUID());
  }

  private void use(ObservedLocks observer) {
    keeper.close();
    keeper = connect(observer);
  }

  @AfterEach
  void close() {
    keeper.close();
  }

  @Test
  void anAcquisitionAndItsHoldAreObservedFromBeginToEnd() throws Exception {
    Observation caller = Observation.start("caller", registry);
    Observation.Scope scope = caller.openScope();
    Lease lease = keeper.lock("a").acquire();
    scope.close();
    assertThat(registry).hasObservationWithNameEqualTo(HOLD).that().isNotStopped();
    lease.release();
    caller.stop();

    assertThat(registry)
        .hasNumberOfObservationsEqualTo(3)
        .doesNotHaveAnyRemainingCurrentObservation();
    for (String name : List.of(ACQUIRE, HOLD)) {
      assertThat(registry)
          .hasObservationWithNameEqualTo(name)
          .that()
          .hasBeenStarted()
          .hasBeenStopped()
          .doesNotHaveError()
          .hasParentObservationEqualTo(caller)
          .hasLowCardinalityKeyValue("lock", "none")
          .hasLowCardinalityKeyValue("kind", "lock")
          .hasLowCardinalityKeyValue("mode", "lock")
          .hasHighCardinalityKeyValue("lockkeeper.lock.name", "a")
          .hasHighCardinalityKeyValue("lockkeeper.token", Long.toString(lease.token()))
          .hasOnlyKeys(keys(name));
    }
    assertThat(registry)
        .hasObservationWithNameEqualTo(ACQUIRE)
        .that()
        .hasContextualNameEqualTo("lock acquire")
        .hasLowCardinalityKeyValue("via", "store")
        .hasLowCardinalityKeyValue("outcome", "acquired");
    assertThat(registry)
        .hasObservationWithNameEqualTo(HOLD)
        .that()
        .hasLowCardinalityKeyValue("outcome", "released");
  }

  /** Returns the keys that are documented. */
  private static String[] keys(String name) {
    LockObservationDocumentation documented =
        name.equals(ACQUIRE)
            ? LockObservationDocumentation.ACQUIRE
            : LockObservationDocumentation.HOLD;
    return Arrays.stream(
            KeyName.merge(
                documented.getLowCardinalityKeyNames(), documented.getHighCardinalityKeyNames()))
        .map(KeyName::asString)
        .toArray(String[]::new);
  }

  @Test
  void anAttemptThatGetsNothingIsOverAndHasNoHold() throws Exception {
    try (Lease held = keeper.lock("a").acquire()) {
      registry.clear();

      assertThat(keeper.lock("a").tryAcquire(Duration.ZERO)).isEmpty();

      assertThat(registry)
          .hasSingleObservationThat()
          .hasNameEqualTo(ACQUIRE)
          .hasBeenStopped()
          .hasLowCardinalityKeyValue("outcome", "timeout")
          .hasLowCardinalityKeyValue("via", "none");
      assertThat(held.isValid()).isTrue();
    }
  }

  @Test
  void aReentryHasNoHoldOfItsOwn() {
    keeper.lock("a").lock();
    keeper.lock("a").lock();
    keeper.lock("a").unlock();
    assertThat(registry).hasObservationWithNameEqualTo(HOLD).that().isNotStopped();
    keeper.lock("a").unlock();

    assertThat(registry)
        .hasNumberOfObservationsWithNameEqualTo(ACQUIRE, 2)
        .hasNumberOfObservationsWithNameEqualTo(HOLD, 1)
        .hasObservationWithNameEqualTo(HOLD)
        .that()
        .hasBeenStopped();
  }

  @Test
  void aLossIsAnErrorOfTheHold() throws Exception {
    keeper.lock("a").acquire(AcquireOptions.defaults().withFixedLease(Duration.ofMillis(50)));

    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(registry)
                    .hasObservationWithNameEqualTo(HOLD)
                    .that()
                    .hasBeenStopped()
                    .hasLowCardinalityKeyValue("outcome", "lost")
                    .assertThatError()
                    .isInstanceOf(LeaseLostException.class));
  }

  private static final class Renamed extends DefaultLockObservationConvention {

    Renamed(LockObservationDocumentation observation) {
      super(observation, name -> "template");
    }

    @Override
    public String getName() {
      return "own." + super.getName();
    }
  }

  @Test
  void anOwnConventionGivesOtherNamesAndKeys() throws Exception {
    use(
        new ObservedLocks(
            registry,
            new Renamed(LockObservationDocumentation.ACQUIRE),
            new Renamed(LockObservationDocumentation.HOLD)));

    keeper.lock("a").acquire().release();

    assertThat(registry)
        .hasNumberOfObservationsEqualTo(2)
        .hasObservationWithNameEqualTo("own." + ACQUIRE)
        .that()
        .hasLowCardinalityKeyValue("lock", "template");
    assertThat(registry).hasObservationWithNameEqualTo("own." + HOLD).that().hasBeenStopped();
  }

  @Test
  void aConventionOfTheRegistryIsUsedWhereThereIsNoOwn() throws Exception {
    registry
        .observationConfig()
        .observationConvention(
            new GlobalObservationConvention<LockObservationContext>() {
              @Override
              public boolean supportsContext(Observation.Context context) {
                return context instanceof LockObservationContext;
              }

              @Override
              public String getName() {
                return "global";
              }

              @Override
              public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
                return KeyValues.of(
                    "what", Meters.word(context.observation()), "outcome", context.outcome());
              }
            });

    keeper.lock("a").acquire().release();

    assertThat(registry).hasNumberOfObservationsWithNameEqualTo("global", 2);
    assertThat(registry)
        .hasAnObservationWithAKeyValue("what", "hold")
        .hasAnObservationWithAKeyValue("outcome", "released");
  }
}
