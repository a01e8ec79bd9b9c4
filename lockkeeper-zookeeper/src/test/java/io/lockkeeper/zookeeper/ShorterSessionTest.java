package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.testkit.tck.Threads;
import java.lang.reflect.Proxy;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A client that changes to a server which allows sessions of less time than the one before. */
class ShorterSessionTest {

  private static final int USUAL_MILLIS = 45_000;
  private static final int SHORT_MILLIS = 20_000;

  private final AtomicInteger agreedMillis = new AtomicInteger(USUAL_MILLIS);

  @Test
  void isToldOnceAndCountsWithTheShortestFromThenOn() {
    Environment environment = new Environment(System::nanoTime, Threads::scheduler, new Random(1));
    ZooKeeperSettings settings = ZooKeeperUrl.parse("zookeeper://a:1");
    AtomicInteger told = new AtomicInteger();
    try (Connection connection = new Connection(settings, sessions(), environment)) {
      connection.addListener(listener(told));
      connection.connected();
      assertThat(connection.sessionTimeoutMillis()).isEqualTo(USUAL_MILLIS);
      assertThat(told).hasValue(0);

      agreedMillis.set(SHORT_MILLIS);
      connection.connected();
      agreedMillis.set(USUAL_MILLIS);
      connection.connected();

      assertThat(told).hasValue(1);
      assertThat(connection.sessionTimeoutMillis()).isEqualTo(SHORT_MILLIS);
    }
  }

  private Sessions sessions() {
    Session session =
        (Session)
            Proxy.newProxyInstance(
                Session.class.getClassLoader(),
                new Class<?>[] {Session.class},
                (proxy, method, given) ->
                    method.getReturnType() == long.class ? 1L : (Object) agreedMillis.get());
    return new Sessions() {
      @Override
      public Session current() {
        return session;
      }

      @Override
      public void close() {}
    };
  }

  private static Connection.Listener listener(AtomicInteger told) {
    return new Connection.Listener() {
      @Override
      public void sessionLost() {}

      @Override
      public void sessionShortened() {
        told.incrementAndGet();
      }

      @Override
      public void reconnected() {}
    };
  }
}
