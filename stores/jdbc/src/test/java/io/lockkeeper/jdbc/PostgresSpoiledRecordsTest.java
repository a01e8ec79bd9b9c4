package io.lockkeeper.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresSpoiledRecordsTest extends JdbcSpoiledRecords {

  @Override
  String url() {
    return Databases.postgres().jdbcUrl();
  }
}
