package io.lockkeeper.jdbc;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.rule.CellContent;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The statements on {@code lockkeeper_cell} and {@code lockkeeper_cell_client}. */
final class CellTable {

  /**
   * The result of a client's last update.
   *
   * @param batch its number
   * @param results the results, as text
   * @param untilMicros how long they are known
   */
  record Remembered(long batch, String results, long untilMicros) {}

  private static final String THERE = " where c.namespace = ? and c.name = ? and c.kind = ?";
  private static final String OF_CLIENT = " where cell_id = ? and client = ?";

  private final String namespace;
  private final String client;
  private final String selectForUpdate;
  private final String selectWithWatch;
  private final String selectMade;
  private final String insert;

  CellTable(Dialect dialect, Client client) {
    this.namespace = client.namespace();
    this.client = client.id();
    String select = "select " + CellRow.COLUMNS + ", " + dialect.now + " as now_micros";
    this.selectForUpdate = select + " from lockkeeper_cell c" + THERE + dialect.forUpdate;
    this.selectWithWatch =
        select
            + ", coalesce(w.watch_end_micros, 0) as watch_end_micros from lockkeeper_cell c"
            + " left join lockkeeper_cell_client w on w.cell_id = c.id and w.client = ?"
            + THERE;
    String floor = "(select coalesce(max(version_floor), 0) from lockkeeper_state)";
    this.selectMade =
        select.replace("c.version,", dialect.larger + "(c.version, " + floor + ") as version,")
            + " from lockkeeper_cell c"
            + THERE
            + dialect.forUpdate;
    this.insert =
        dialect.insertIfAbsent(
            "into lockkeeper_cell (namespace, name, kind, version) values (?, ?, ?, "
                + floor
                + ")");
  }

  /** Returns the row of a cell, locked; makes it if it is not there. */
  CellRow lock(SqlSession session, CellId cell) throws SQLException {
    String kind = cell.kind().suffix();
    CellRow row = session.first(selectForUpdate, CellRow::read, namespace, cell.name(), kind);
    if (row == null) {
      session.update(insert, namespace, cell.name(), kind);
      row = session.first(selectMade, CellRow::read, namespace, cell.name(), kind);
    }
    if (row == null) {
      throw new SQLException("the row of a cell is gone that was just made", Cleaner.AGAIN);
    }
    return row;
  }

  /** Returns the row of a cell as it is, with whether this client watches it. */
  @Nullable CellRow find(SqlSession session, CellId cell) throws SQLException {
    return session.first(
        selectWithWatch,
        CellRow::readWithWatch,
        client,
        namespace,
        cell.name(),
        cell.kind().suffix());
  }

  /** Writes what a cell holds. */
  void save(SqlSession session, long id, CellContent content) throws SQLException {
    CellValue value = content.value();
    long end = content.end() == CellContent.NEVER ? CellRow.WITHOUT_END : content.end();
    String set = "update lockkeeper_cell set version = ?, born = ?, end_micros = ?, value = ";
    if (value == null) {
      session.update(set + "null where id = ?", content.version(), content.born(), end, id);
    } else {
      session.update(
          set + "? where id = ?", content.version(), content.born(), end, value.bytes(), id);
    }
  }

  // ------------------------------------------------------------- this client

  @Nullable Remembered remembered(SqlSession session, long id) throws SQLException {
    return session.first(
        "select batch, results, known_end_micros from lockkeeper_cell_client" + OF_CLIENT,
        row -> new Remembered(row.getLong(1), row.getString(2), row.getLong(3)),
        id,
        client);
  }

  void remember(SqlSession session, long id, Remembered update) throws SQLException {
    int changed =
        session.update(
            "update lockkeeper_cell_client set batch = ?, results = ?, known_end_micros = ?"
                + OF_CLIENT,
            update.batch(),
            update.results(),
            update.untilMicros(),
            id,
            client);
    if (changed == 0) {
      session.update(
          "insert into lockkeeper_cell_client"
              + " (batch, results, known_end_micros, cell_id, client) values (?, ?, ?, ?, ?)",
          update.batch(),
          update.results(),
          update.untilMicros(),
          id,
          client);
    }
  }

  /** Notes until when this client watches; 0 if not. */
  void watch(SqlSession session, long id, long endMicros) throws SQLException {
    int changed =
        session.update(
            "update lockkeeper_cell_client set watch_end_micros = ?" + OF_CLIENT,
            endMicros,
            id,
            client);
    if (changed == 0 && endMicros > 0) {
      session.update(
          "insert into lockkeeper_cell_client (watch_end_micros, cell_id, client)"
              + " values (?, ?, ?)",
          endMicros,
          id,
          client);
    }
  }

  // ------------------------------------------------------------- others

  /** Returns the other clients that watch, and has them not watch any more. */
  List<String> takeOtherWatchers(SqlSession session, long id, long nowMicros) throws SQLException {
    List<String> watchers =
        session.all(
            "select client from lockkeeper_cell_client"
                + " where cell_id = ? and watch_end_micros > ? and client <> ?",
            row -> row.getString(1),
            id,
            nowMicros,
            client);
    if (!watchers.isEmpty()) {
      session.update(
          "update lockkeeper_cell_client set watch_end_micros = 0"
              + " where cell_id = ? and client <> ? and watch_end_micros > 0",
          id,
          client);
    }
    return watchers;
  }

  // ------------------------------------------------------------- results as text

  static String text(List<CellResult> results) {
    return results.stream()
        .map(
            result ->
                result.verdict().name()
                    + ","
                    + result.version()
                    + ","
                    + result.before()
                    + ","
                    + result.number())
        .collect(Collectors.joining(";"));
  }

  static List<CellResult> results(String text) {
    return Arrays.stream(text.split(";")).map(CellTable::result).toList();
  }

  private static CellResult result(String text) {
    String[] parts = text.split(",", -1);
    return new CellResult(
        Verdict.valueOf(parts[0]),
        Long.parseLong(parts[1]),
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]));
  }
}
