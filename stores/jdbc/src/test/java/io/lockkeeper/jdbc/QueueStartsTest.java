package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Where a client that has seen a queue looks for who waits in it, and when it looks anew. */
class QueueStartsTest {

  private static final ResourceId LOCK = ResourceId.lock("r");

  private final String url = Databases.sqlite("starts-" + UUID.randomUUID());

  /** Returns whether a release admits the waiter, after the tables were changed. */
  private boolean isLetIn(String... changes) throws SQLException {
    try (StoreProbe holder = Probes.open(url);
        StoreProbe waiter = Probes.open(url)) {
      Grant first = holder.claimed(LOCK, 1);
      waiter.queued(LOCK, 2);
      holder.release(LOCK, first); // it has seen that nobody waits up to the arrival of that claim
      waiter.release(LOCK, ((PollAnswer.Granted) waiter.poll(LOCK, 2)).grant());
      Grant second = holder.claimed(LOCK, 3);
      waiter.queued(LOCK, 4);

      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        for (String change : changes) {
          assertThat(statement.executeUpdate(change)).isEqualTo(1);
        }
      }
      holder.release(LOCK, second);
      return waiter.poll(LOCK, 4) instanceof PollAnswer.Granted;
    }
  }

  @Test
  void whoWaitsIsLetIn() throws SQLException {
    assertThat(isLetIn()).isTrue();
  }

  @Test
  void whatHasBeenReadIsNotReadAgain() throws SQLException {
    assertThat(isLetIn("update lockkeeper_claim set arrival = 1")).isFalse();
  }

  @Test
  void onAnotherServerEarlierClaimsMayWait() throws SQLException {
    assertThat(
            isLetIn(
                "update lockkeeper_claim set arrival = 1",
                "update lockkeeper_mark set generation = generation + 1"))
        .isTrue();
  }

  @Test
  void aRowThatWasSetBackIsReadFromTheBeginning() throws SQLException {
    assertThat(
            isLetIn(
                "update lockkeeper_claim set arrival = 1",
                "update lockkeeper_resource set last_arrival = 1"))
        .isTrue();
  }

  @Test
  void aRowThatWasMadeAnewIsReadFromTheBeginning() throws SQLException {
    assertThat(
            isLetIn(
                "update lockkeeper_claim set arrival = 1, resource_id = resource_id + 1",
                "update lockkeeper_resource set id = id + 1"))
        .isTrue();
  }
}
