package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperAdmin;
import io.lockkeeper.Quarantine;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A store that grants nothing for a while, as a Redis server that was just started. */
class LockTemplateTest {

  private static final LockRequest ONCE =
      LockRequest.of("job").with(AcquireOptions.defaults().withWait(Duration.ZERO));

  private final AtomicInteger looks = new AtomicInteger();

  /** Returns a client whose store is in a quarantine at the first looks. */
  private Lockkeeper young(Lockkeeper keeper, int times, Duration remaining) {
    LockkeeperAdmin admin =
        proxy(
            LockkeeperAdmin.class,
            (proxy, method, arguments) -> {
              if (method.getName().equals("quarantine")) {
                return looks.incrementAndGet() <= times
                    ? Optional.of(new Quarantine("The store is young", remaining, "Wait"))
                    : Optional.empty();
              }
              return method.invoke(keeper.admin(), arguments);
            });
    return proxy(
        Lockkeeper.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("admin")) {
            return admin;
          }
          try {
            return method.invoke(keeper, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void aCallOnceInAPeriodIsTriedAgainAfterTheQuarantine() throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:young");
        Lockkeeper other = Lockkeeper.connect("memory:young")) {
      other.lock("job").tryLock(AcquireOptions.defaults().withFixedLease(Duration.ofMillis(300)));
      LockTemplate template = new LockTemplate(young(keeper, 1_000, Duration.ofMillis(100)));

      Hold hold = template.holdOnce(ONCE, Duration.ofHours(1));

      assertThat(hold.lease().isValid()).isTrue();
      hold.release();
    }
  }

  @Test
  void aCallOnceInAPeriodFailsIfTheQuarantineTakesTooLongAndSaysWhy() throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:old");
        Lockkeeper other = Lockkeeper.connect("memory:old")) {
      assertThat(other.lock("job").tryLock()).isTrue();
      LockTemplate template = new LockTemplate(young(keeper, 1_000, Duration.ofSeconds(30)));

      assertThatThrownBy(() -> template.holdOnce(ONCE, Duration.ofSeconds(10)))
          .isInstanceOf(AcquireTimeoutException.class)
          .hasMessageContaining("'job' was not granted within 0s: The store is young");
    }
  }

  @Test
  void withoutAQuarantineACallOnceInAPeriodDoesNotWait() throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:free");
        Lockkeeper other = Lockkeeper.connect("memory:free")) {
      assertThat(other.lock("job").tryLock()).isTrue();
      LockTemplate template = new LockTemplate(young(keeper, 0, Duration.ZERO));

      assertThatThrownBy(() -> template.holdOnce(ONCE, Duration.ofHours(1)))
          .isInstanceOf(AcquireTimeoutException.class);
      assertThat(looks).hasValue(2); // for the message, and for the wait
    }
  }
}
