package io.lockkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.support.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockkeeperBuilderTest {

  private static final String STORE = "scripted:test";

  private static LockkeeperBuilder builder() {
    return Lockkeeper.builder();
  }

  @Test
  void theStoreIsToldWhoOpensIt() {
    AtomicReference<StoreContext> told = new AtomicReference<>();
    try (Lockkeeper keeper =
        builder()
            .clientName("billing 1")
            .namespace("shop")
            .connect(
                context -> {
                  told.set(context);
                  return new io.lockkeeper.engine.TestProvider().factory(STORE).open(context);
                })) {
      assertThat(keeper.clientName()).isEqualTo("billing 1");
      assertThat(told.get().client().name()).isEqualTo("billing 1");
      assertThat(told.get().namespace()).isEqualTo("shop");
      assertThat(told.get().clientId()).isEqualTo(keeper.clientId()).matches("[0-9a-z]+");
    }
  }

  @Test
  void everyClientHasAnIdOfItsOwn() {
    LockkeeperBuilder builder = builder();
    try (Lockkeeper one = builder.connect(STORE);
        Lockkeeper two = builder.connect(STORE)) {
      assertThat(one.clientId()).isNotEqualTo(two.clientId());
    }
  }

  @Test
  void aRenewalIntervalOfHalfTheLeaseIsAllowedAndALongerOneNot() {
    LockkeeperBuilder builder = builder().lease(Duration.ofSeconds(10));
    builder.renewalInterval(Duration.ofSeconds(5)).connect(STORE).close();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.renewalInterval(Duration.ofMillis(5_001)).connect(STORE))
        .withMessage("renewalInterval must be at most half of the lease (10s), was 5.001s");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.renewalInterval(ChronoUnit.FOREVER.getDuration()).connect(STORE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S"})
  void anIntervalAndAPatienceMustBePositive(String duration) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().renewalInterval(Duration.parse(duration)))
        .withMessage(
            "renewalInterval must be positive, was %s", DurationText.of(Duration.parse(duration)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().storeTimeout(Duration.parse(duration)))
        .withMessage(
            "storeTimeout must be positive, was %s", DurationText.of(Duration.parse(duration)));
  }

  @Test
  void aPatienceWithoutEndIsAllowed() {
    builder().storeTimeout(ChronoUnit.FOREVER.getDuration()).connect(STORE).close();
  }

  @Test
  void aLeaseOutOfBoundsIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> builder().lease(Duration.ofMillis(49)));
    assertThatIllegalArgumentException().isThrownBy(() -> builder().lease(Duration.ofDays(2)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\nb"})
  void namesAreChecked(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().clientName(name))
        .withMessageStartingWith("client name must not ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().namespace(name))
        .withMessageStartingWith("namespace must not ");
    try (Lockkeeper keeper = Lockkeeper.connect(STORE)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> keeper.lock(name))
          .withMessageStartingWith("lock name must not ");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> keeper.fairLock(name))
          .withMessageStartingWith("lock name must not ");
    }
  }

  @Test
  void nullIsRefused() {
    assertThatNullPointerException().isThrownBy(() -> builder().clientName(null));
    assertThatNullPointerException().isThrownBy(() -> builder().namespace(null));
    assertThatNullPointerException().isThrownBy(() -> builder().lease(null));
    assertThatNullPointerException().isThrownBy(() -> builder().renewalInterval(null));
    assertThatNullPointerException().isThrownBy(() -> builder().storeTimeout(null));
    assertThatNullPointerException().isThrownBy(() -> builder().executor(null));
    assertThatNullPointerException().isThrownBy(() -> builder().listener(null));
    assertThatNullPointerException().isThrownBy(() -> builder().environment(null));
    assertThatNullPointerException().isThrownBy(() -> builder().connect((String) null));
    assertThatNullPointerException()
        .isThrownBy(() -> builder().connect((io.lockkeeper.spi.StoreFactory) null));
    try (Lockkeeper keeper = Lockkeeper.connect(STORE)) {
      DistributedLock lock = keeper.lock("a");
      assertThatNullPointerException().isThrownBy(() -> keeper.lock(null));
      assertThatNullPointerException().isThrownBy(() -> keeper.lock("a", null));
      assertThatNullPointerException().isThrownBy(() -> lock.lock(null));
      assertThatNullPointerException().isThrownBy(() -> lock.tryLock(1, null));
      assertThatNullPointerException().isThrownBy(() -> lock.tryLock((Duration) null));
      assertThatNullPointerException().isThrownBy(() -> lock.tryAcquire(null));
      assertThatNullPointerException().isThrownBy(() -> lock.acquire(null));
      assertThatNullPointerException().isThrownBy(() -> lock.acquireAsync(null));
      assertThat(lock.isLocked()).as("nothing has changed").isFalse();
    }
  }

  @Test
  void conditionsAreNotSupportedAndTheMessageSaysWhy() {
    try (Lockkeeper keeper = Lockkeeper.connect(STORE)) {
      org.assertj.core.api.Assertions.assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> keeper.lock("a").newCondition())
          .withMessageContaining("has no conditions");
    }
  }
}
