package io.lockkeeper.lab.torture;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The rows of a database on this machine. */
record SqlRemains(String url) implements LeftoverCheck {

  static final String POSTGRESQL = "jdbc:postgresql:";

  /** Rows of resources stay until they are cleaned; what is over stays until somebody passes. */
  private static final List<String> QUERIES =
      List.of(
          "select 'the holder of', name from lockkeeper_resource"
              + " where namespace = ? and holder is not null and end_micros > ?",
          "select 'the limit of', name from lockkeeper_resource"
              + " where namespace = ? and resized = 1 and ? > 0",
          "select 'a claim on', r.name from lockkeeper_resource r"
              + " join lockkeeper_claim c on c.resource_id = r.id"
              + " where r.namespace = ? and c.granted <> 2 and c.end_micros > ?",
          "select 'the value of', name from lockkeeper_cell"
              + " where namespace = ? and value is not null and ? > 0",
          "select 'a watcher of', k.name from lockkeeper_cell k"
              + " join lockkeeper_cell_client w on w.cell_id = k.id"
              + " where k.namespace = ? and w.watch_end_micros > ?");

  @Override
  public List<String> of(String namespace) {
    List<String> left = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url)) {
      long now = nowMicros(connection);
      for (String query : QUERIES) {
        add(left, connection, query, namespace, now);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return left;
  }

  /** Returns the time of the clock that the rows are by: this machine's, if it is not shifted. */
  private long nowMicros(Connection connection) throws SQLException {
    if (!url.startsWith(POSTGRESQL)) {
      return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    }
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select extract(epoch from clock_timestamp()) * 1000000")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void add(
      List<String> left, Connection connection, String query, String namespace, long nowMicros)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, namespace);
      statement.setLong(2, nowMicros);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          left.add(rows.getString(1) + " " + rows.getString(2));
        }
      }
    }
  }
}
