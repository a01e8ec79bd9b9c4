package io.lockkeeper.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row of {@code lockkeeper_mark}: which server the namespace was written at last.
 *
 * @param generation larger with each change of the others but the lease
 * @param server which server it is
 * @param safeMicros before this time nothing is granted: another server may have granted what is
 *     not known here
 * @param longestMicros the longest lease ever asked for
 * @param floorMicros tokens are larger than this
 */
record Mark(long generation, String server, long safeMicros, long longestMicros, long floorMicros) {

  static final String COLUMNS = "generation, server, safe_micros, longest_micros, floor_micros";

  static Mark read(ResultSet row) throws SQLException {
    return new Mark(
        row.getLong(1), row.getString(2), row.getLong(3), row.getLong(4), row.getLong(5));
  }

  Mark withLongest(long micros) {
    return new Mark(generation, server, safeMicros, Math.max(longestMicros, micros), floorMicros);
  }
}
