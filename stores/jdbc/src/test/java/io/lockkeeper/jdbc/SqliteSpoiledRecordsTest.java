package io.lockkeeper.jdbc;

class SqliteSpoiledRecordsTest extends JdbcSpoiledRecords {

  @Override
  String url() {
    return Databases.sqlite("spoiled");
  }
}
