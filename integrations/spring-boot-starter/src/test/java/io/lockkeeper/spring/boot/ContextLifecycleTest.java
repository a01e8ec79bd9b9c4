package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.RedisServer;
import java.lang.reflect.Method;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/** A client while its context is paused, stopped and closed. */
class ContextLifecycleTest {

  private static final String MEMORY = "lockkeeper.url=memory:context-lifecycle-test";

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(LockkeeperAutoConfiguration.class));

  /** Notes whether the client works when this is stopped. */
  private static final class Recorder implements SmartLifecycle {

    private final int phase;
    private final Lockkeeper keeper;
    private final Queue<String> stops;
    private boolean running;

    Recorder(int phase, Lockkeeper keeper, Queue<String> stops) {
      this.phase = phase;
      this.keeper = keeper;
      this.stops = stops;
    }

    @Override
    public void start() {
      running = true;
    }

    @Override
    public void stop() {
      running = false;
      stops.add(phase + " " + isOpen());
    }

    private boolean isOpen() {
      try {
        keeper.lock("recorder").run(() -> {});
        return true;
      } catch (RuntimeException e) {
        return false;
      }
    }

    @Override
    public boolean isRunning() {
      return running;
    }

    @Override
    public int getPhase() {
      return phase;
    }
  }

  @Test
  void theClientIsClosedAfterWhateverTakesLocksAndBeforeConnections() {
    Queue<String> stops = new ConcurrentLinkedQueue<>();
    ApplicationContextRunner recorded = runner.withPropertyValues(MEMORY);
    // Connections to stores; pollers of Spring Integration; web servers.
    for (int phase : new int[] {0, Integer.MAX_VALUE / 2, Integer.MAX_VALUE - 2048}) {
      recorded =
          recorded.withInitializer(
              context ->
                  ((GenericApplicationContext) context)
                      .registerBean(
                          "recorder" + phase,
                          Recorder.class,
                          () -> new Recorder(phase, context.getBean(Lockkeeper.class), stops)));
    }
    recorded.run(context -> assertThat(context).hasNotFailed());
    assertThat(stops)
        .containsExactly(
            (Integer.MAX_VALUE - 2048) + " true", (Integer.MAX_VALUE / 2) + " true", "0 false");
  }

  private static void pause(ConfigurableApplicationContext context) {
    Method pause = ReflectionUtils.findMethod(context.getClass(), "pause");
    assumeThat(pause).as("since Spring Framework 7").isNotNull();
    ReflectionUtils.invokeMethod(pause, context);
  }

  @Test
  @Tag("newest")
  void leasesAreHeldWhileTheContextIsPaused() {
    runner
        .withPropertyValues(MEMORY)
        .run(
            context -> {
              Lockkeeper keeper = context.getBean(Lockkeeper.class);
              Lease lease = keeper.lock("paused").acquire();
              pause(context.getSourceApplicationContext());
              context.getSourceApplicationContext().start();
              assertThat(lease.isValid()).isTrue();
              assertThat(keeper.lock("after").tryLock()).isTrue();
            });
  }

  @Test
  @Tag("newest")
  void theApplicationsRedisIsUsedAfterAPauseToo() {
    try (RedisServer server = RedisServer.start()) {
      runner
          .withBean(
              LettuceConnectionFactory.class,
              () ->
                  new LettuceConnectionFactory(
                      new RedisStandaloneConfiguration(RedisServer.HOST, server.port())))
          .run(
              context -> {
                Lockkeeper keeper = context.getBean(Lockkeeper.class);
                Lease lease = keeper.lock("paused").acquire();
                pause(context.getSourceApplicationContext());
                assertThat(keeper.lock("meanwhile").tryLock()).isTrue();
                context.getSourceApplicationContext().start();
                assertThat(lease.isValid()).isTrue();
                assertThat(keeper.lock("after").tryLock()).isTrue();
              });
    }
  }

  @Test
  void aStoppedContextSaysThatItDoesNotStartAgain() {
    runner
        .withPropertyValues(MEMORY)
        .run(
            context -> {
              ConfigurableApplicationContext source = context.getSourceApplicationContext();
              source.stop();
              assertThatExceptionOfType(RuntimeException.class)
                  .isThrownBy(source::start)
                  .havingRootCause()
                  .withMessageContaining("does not open again");
            });
  }
}
