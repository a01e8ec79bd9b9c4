package io.lockkeeper.engine.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.LockOptions;
import io.lockkeeper.engine.ManualScheduler;
import io.lockkeeper.engine.ManualTime;
import io.lockkeeper.engine.ScriptedStore;
import io.lockkeeper.engine.policy.ClientConfig;
import io.lockkeeper.engine.policy.Connecting;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A client that cannot be put together leaves nothing open. */
class ClientCoreTest {

  private static final Duration LEASE = Duration.ofSeconds(30);

  private final ManualTime time = new ManualTime();
  private final ManualScheduler scheduler = new ManualScheduler(time);
  private final ScriptedStore store = ScriptedStore.obliging();

  private ClientCore open(Duration deadlockCheck, Supplier<Scheduler> schedulers) {
    ClientConfig config =
        new ClientConfig(
            "test",
            "",
            LEASE,
            1.0 / 3,
            name -> LockOptions.defaults(),
            Connecting.AT_ONCE,
            LEASE,
            null,
            List.of(),
            List.of(),
            true,
            deadlockCheck,
            true);
    // Only the jitter of pauses is random, on which nothing here depends.
    return ClientCore.open(
        config, new Environment(time, schedulers, new Random(11)), context -> store);
  }

  @Test
  void aFailureHalfWayClosesTheStoreAndTheScheduler() {
    Duration tooLong = Duration.ofSeconds(Long.MAX_VALUE); // for the parts that come last

    assertThatThrownBy(() -> open(tooLong, () -> scheduler))
        .isInstanceOf(ArithmeticException.class);

    assertThat(store.closed).isTrue();
    assertThat(scheduler.isClosed()).isTrue();
  }

  @Test
  void aSchedulerThatCannotStartClosesTheStore() {
    OutOfMemoryError refused = new OutOfMemoryError("unable to create native thread (made up)");

    assertThatThrownBy(
            () ->
                open(
                    Duration.ofSeconds(5),
                    () -> {
                      throw refused;
                    }))
        .isSameAs(refused);

    assertThat(store.closed).isTrue();
  }
}
