package io.lockkeeper.jdbc;

class PostgresSpoiledRecordsTest extends JdbcSpoiledRecords {

  @Override
  String url() {
    return Databases.postgres().jdbcUrl();
  }
}
