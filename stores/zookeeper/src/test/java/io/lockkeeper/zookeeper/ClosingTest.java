package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.testkit.tck.Threads;
import java.lang.reflect.Proxy;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ClosingTest {

  /** Its requests have no answers, and no server is left for another because of that. */
  @Test
  void aRequestWithoutAnAnswerEndsWithItsConnection() {
    Environment environment = new Environment(System::nanoTime, Threads::scheduler, new Random(1));
    Connection connection =
        new Connection(ZooKeeperUrl.parse("zookeeper://a:1"), new SilentSessions(), environment);
    CompletableFuture<?> asked = connection.exists("/n", null);

    assertThatCode(connection::close).doesNotThrowAnyException();

    assertThat(asked).isCompletedExceptionally();
  }

  private static final class SilentSessions implements Sessions {

    @Override
    public Session current() {
      return (Session)
          Proxy.newProxyInstance(
              Session.class.getClassLoader(),
              new Class<?>[] {Session.class},
              (proxy, method, given) ->
                  method.getReturnType() == long.class ? (Object) 1L : (Object) 1);
    }

    @Override
    public void close() {}
  }
}
