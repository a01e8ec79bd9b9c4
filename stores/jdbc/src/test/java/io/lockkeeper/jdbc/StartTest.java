package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Clients that start before their server. */
class StartTest {

  @Test
  void aClientThatStartsBeforeTheServerIsServedWhenThatIsThere() throws Exception {
    Databases.require(PostgresServer.binaries());
    try (PostgresServer server = PostgresServer.builder().durable().start()) {
      server.kill();
      try (Lockkeeper keeper =
          Lockkeeper.builder()
              .storeTimeout(Delays.patience())
              .connectLater()
              .connect(server.jdbcUrl())) {
        CompletableFuture<Lease> asked = keeper.lock("n").acquireAsync().toCompletableFuture();
        assertThatThrownBy(() -> keeper.lock("m").tryLock(Duration.ofMillis(50)))
            .isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> keeper.admin().ping(Duration.ofSeconds(5)))
            .isInstanceOf(StoreUnavailableException.class)
            .hasMessageContaining(String.valueOf(server.port()));
        assertThat(asked).isNotDone();

        server.restart();

        asked.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS).release();
        assertThat(keeper.lock("m").tryLock(Delays.patience())).isTrue();
        assertThat(keeper.admin().ping(Delays.patience())).isPositive();
        keeper.lock("m").unlock();
      }
    }
  }
}
