package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.store.SpoiledRecords;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Rows of a database that others have changed. */
abstract class JdbcSpoiledRecords extends SpoiledRecords {

  /** A column that can be spoiled: its table, which rows are meant, and whether it is text. */
  private record Column(String table, String where, String name, boolean isText) {}

  private static final String RESOURCE = "namespace = ? and name = ?";
  private static final String CLAIM =
      "resource_id in (select id from lockkeeper_resource where " + RESOURCE + ")";
  private static final String CLIENT =
      "cell_id in (select id from lockkeeper_cell where " + RESOURCE + ")";

  private static final List<Column> COLUMNS =
      List.of(
          new Column("lockkeeper_resource", RESOURCE, "holder", true),
          new Column("lockkeeper_resource", RESOURCE, "label", true),
          new Column("lockkeeper_resource", RESOURCE, "since_micros", false),
          new Column("lockkeeper_resource", RESOURCE, "end_micros", false),
          new Column("lockkeeper_resource", RESOURCE, "grant_number", false),
          new Column("lockkeeper_resource", RESOURCE, "claims", true),
          new Column("lockkeeper_resource", RESOURCE, "first_token", false),
          new Column("lockkeeper_resource", RESOURCE, "last_token", false),
          new Column("lockkeeper_resource", RESOURCE, "tokens_to_spare", false),
          new Column("lockkeeper_resource", RESOURCE, "confirmed", false),
          new Column("lockkeeper_resource", RESOURCE, "waiting", false),
          new Column("lockkeeper_resource", RESOURCE, "last_arrival", false),
          new Column("lockkeeper_resource", RESOURCE, "permit_limit", false),
          new Column("lockkeeper_resource", RESOURCE, "permits_out", false),
          new Column("lockkeeper_resource", RESOURCE, "grants", false),
          new Column("lockkeeper_resource", RESOURCE, "overtakers", false),
          new Column("lockkeeper_claim", CLAIM, "client", true),
          new Column("lockkeeper_claim", CLAIM, "claim", false),
          new Column("lockkeeper_claim", CLAIM, "granted", false),
          new Column("lockkeeper_claim", CLAIM, "since_micros", false),
          new Column("lockkeeper_claim", CLAIM, "arrival", false),
          new Column("lockkeeper_claim", CLAIM, "end_micros", false),
          new Column("lockkeeper_claim", CLAIM, "permits", false),
          new Column("lockkeeper_claim", CLAIM, "tokens", false),
          new Column("lockkeeper_claim", CLAIM, "token", false),
          new Column("lockkeeper_claim", CLAIM, "lease_millis", false),
          new Column("lockkeeper_claim", CLAIM, "deadline_millis", false),
          new Column("lockkeeper_cell", RESOURCE, "version", false),
          new Column("lockkeeper_cell", RESOURCE, "born", false),
          new Column("lockkeeper_cell", RESOURCE, "end_micros", false),
          new Column("lockkeeper_cell", RESOURCE, "value", true),
          new Column("lockkeeper_cell_client", CLIENT, "batch", false),
          new Column("lockkeeper_cell_client", CLIENT, "results", true),
          new Column("lockkeeper_cell_client", CLIENT, "known_end_micros", false),
          new Column("lockkeeper_cell_client", CLIENT, "watch_end_micros", false));

  private static final List<String> TEXTS = List.of("", "abc", "1,,2", "-1", "DONE,x;", "\u00e9|:");
  private static final List<Long> NUMBERS =
      List.of(-1L, 0L, 1L, 2L, 32_767L, 2_147_483_647L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40);

  /** Returns the URL of the database. */
  abstract String url();

  @Override
  protected StoreFactory factory() {
    return new JdbcStoreProvider().factory(url());
  }

  @Override
  protected int records() {
    return 60;
  }

  @Override
  protected String spoil(String namespace, String name, Random random) {
    try (Connection connection = DriverManager.getConnection(url())) {
      List<Column> there = new ArrayList<>();
      for (Column column : COLUMNS) {
        if (isThere(connection, column, namespace, name)) {
          there.add(column);
        }
      }
      if (there.isEmpty()) {
        return "";
      }
      Column column = there.get(random.nextInt(there.size()));
      String change = change(column, random);
      return change(connection, change + " where " + column.where, namespace, name);
    } catch (SQLException e) {
      return "nothing, as the database refused it: " + e.getMessage();
    }
  }

  private String change(Column column, Random random) {
    if (random.nextInt(10) == 0) {
      return "delete from " + column.table;
    }
    String value;
    if (random.nextInt(10) == 0) {
      value = "null";
    } else if (column.isText || random.nextInt(10) == 0) {
      value = "'" + TEXTS.get(random.nextInt(TEXTS.size())) + "'";
    } else {
      value = NUMBERS.get(random.nextInt(NUMBERS.size())).toString();
    }
    return "update " + column.table + " set " + column.name + " = " + value;
  }

  private static boolean isThere(
      Connection connection, Column column, String namespace, String name) throws SQLException {
    String select = "select 1 from " + column.table + " where " + column.where;
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, namespace);
      statement.setString(2, name);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }

  private static String change(Connection connection, String sql, String namespace, String name)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, namespace);
      statement.setString(2, name);
      statement.executeUpdate();
    }
    return sql;
  }
}
