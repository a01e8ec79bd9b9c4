package io.lockkeeper.jdbc;

import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.rule.CellContent;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row of {@code lockkeeper_cell} as it was read.
 *
 * @param id its number
 * @param nowMicros what time it was at the database
 * @param content what it held then
 * @param isWatched whether this client is noted as a watcher, where that was read too
 */
record CellRow(long id, long nowMicros, CellContent content, boolean isWatched) {

  /** Stands for a cell without an end. */
  static final long WITHOUT_END = 0;

  static final String COLUMNS = "c.id, c.version, c.born, c.value, c.end_micros";

  /** Reads the columns, and {@code now_micros}. */
  static CellRow read(ResultSet row) throws SQLException {
    return read(row, false);
  }

  /** Reads those and {@code watch_end_micros}. */
  static CellRow readWithWatch(ResultSet row) throws SQLException {
    return read(row, row.getLong("watch_end_micros") > 0);
  }

  private static CellRow read(ResultSet row, boolean isWatched) throws SQLException {
    byte[] bytes = row.getBytes("value");
    long now = row.getLong("now_micros");
    long end = row.getLong("end_micros");
    CellContent content =
        new CellContent(
            bytes == null ? null : CellValue.of(bytes),
            row.getLong("version"),
            row.getLong("born"),
            end == WITHOUT_END ? CellContent.NEVER : end);
    return new CellRow(row.getLong("id"), now, content.at(now), isWatched);
  }

  CellState state(long knownVersion) {
    return content.state(knownVersion, content.end() - nowMicros);
  }
}
