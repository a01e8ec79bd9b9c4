package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Letters, which on some databases tell a client what others did. */
class TableNotificationsTest {

  private final String url = Databases.sqlite("mail");

  private void put(String client, String content) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into lockkeeper_hint (client, sent_micros, content)"
                    + " values (?, 9000000000000000, ?)")) {
      insert.setString(1, client);
      insert.setString(2, content);
      insert.executeUpdate();
    }
  }

  private int letters(String client) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement count =
            connection.prepareStatement("select count(*) from lockkeeper_hint where client = ?")) {
      count.setString(1, client);
      try (ResultSet rows = count.executeQuery()) {
        return rows.getInt(1);
      }
    }
  }

  /** A client of a newer version may write what this one does not know. */
  @Test
  void aLetterThatCannotBeReadIsThrownAwayAndThoseBehindItAreHeard() throws Exception {
    try (StoreProbe probe = Probes.open(url, "mail")) {
      for (String content : List.of("Z|what a newer version says", "", "G|1", "C|no|kind")) {
        put(probe.id, content);
      }
      put(probe.id, "W|known");

      assertThat(probe.notification()).isEqualTo("contended lock 'known'");
      await().atMost(Delays.patience()).until(() -> letters(probe.id) == 0);

      put(probe.id, "W|later");
      assertThat(probe.notification()).isEqualTo("contended lock 'later'");
      await().atMost(Delays.patience()).until(() -> letters(probe.id) == 0);
      assertThat(probe.notifications).isEmpty();
    }
  }
}
