/** A store on PostgreSQL, MySQL, MariaDB, SQLite and H2, through JDBC. */
module io.lockkeeper.jdbc {
  requires transitive io.lockkeeper.core;
  requires transitive java.sql;
  requires static transitive org.jspecify;

  exports io.lockkeeper.jdbc;

  provides io.lockkeeper.spi.StoreProvider with
      io.lockkeeper.jdbc.JdbcStoreProvider;
}
