package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Durations that cannot be added to an instant. */
class HugeDurationsTest {

  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  @Test
  void anInstantThatIsTooFarAwayNeverComes() {
    for (long now : new long[] {Long.MIN_VALUE, -5, 0, 5, Long.MAX_VALUE - 5}) {
      assertThat(Instants.after(now, 0)).isEqualTo(now);
      assertThat(Instants.after(now, 4)).isEqualTo(now + 4);
    }
    assertThat(Instants.after(1, Long.MAX_VALUE)).isEqualTo(Instants.NEVER);
    assertThat(Instants.after(Long.MAX_VALUE - 5, 6)).isEqualTo(Instants.NEVER);
  }

  @Test
  void aQuestionIsAskedAgainForAsLongAsTheStoreTimeout() {
    ScriptedStore store = ScriptedStore.obliging();
    AtomicInteger asked = new AtomicInteger();
    store.inspections.always(
        name ->
            asked.getAndIncrement() < 3
                ? ScriptedStore.silence()
                : Outcome.answered(new Inspection(null, List.of())));
    try (Rig rig = on(store)) {
      rig.pass(Duration.ofSeconds(1));

      assertThat(rig.keeper.lock("a").isLocked()).isFalse();
      assertThat(asked.get()).isEqualTo(4);
    }
  }

  @Test
  void aWaitLastsThroughAnyOutageAndClosingEndsAtOnce() {
    ScriptedStore store = ScriptedStore.obliging();
    store.claims.always(claim -> ScriptedStore.silence());
    try (Rig rig = on(store)) {
      DistributedLock lock = rig.keeper.lock("a");
      CompletionStage<Lease> unlimited = lock.acquireAsync();
      CompletionStage<Lease> limited =
          lock.acquireAsync(AcquireOptions.defaults().withWait(FOREVER));
      rig.pass(Duration.ofHours(3));
      assertThat(rig.isWaiting(unlimited)).isTrue();
      assertThat(rig.isWaiting(limited)).isTrue();

      store.oblige();
      rig.pass(Duration.ofMinutes(1));
      rig.got(unlimited).release();
      rig.got(limited).release();
    }
  }

  @Test
  void aLeaseThatLongIsRefused() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      assertThatThrownBy(() -> Lockkeeper.builder().lease(FOREVER))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> AcquireOptions.defaults().withFixedLease(FOREVER))
          .isInstanceOf(IllegalArgumentException.class);
      Lease lease = rig.got(lock.acquireAsync());
      assertThatThrownBy(() -> lease.renew(FOREVER)).isInstanceOf(IllegalArgumentException.class);
      lease.release();
    }
  }

  private static Rig on(ScriptedStore store) {
    return Rig.with(store, builder -> builder.storeTimeout(FOREVER));
  }
}
