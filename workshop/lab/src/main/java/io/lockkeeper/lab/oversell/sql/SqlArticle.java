package io.lockkeeper.lab.oversell.sql;

import io.lockkeeper.lab.oversell.shop.Article;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.LongConsumer;

/**
 * The statements about one article: its stock is a row of a table, its orders are the rows of
 * another, both made for it. A third has two rows that can be locked in its stead.
 */
public final class SqlArticle {

  /** A stock as it was read. */
  public record Stock(long pieces, long version) {}

  private final Article article;
  private final String stock;
  private final String orders;
  private final String locks;

  /** Creates the statements. */
  public SqlArticle(Article article) {
    this.article = article;
    this.stock = article.shortName();
    this.orders = article.shortName() + "_orders";
    this.locks = article.shortName() + "_locks";
  }

  /** Returns the article that is sold together with it. */
  public SqlArticle second() {
    return new SqlArticle(article.second());
  }

  /** Makes the tables. */
  public void create(Connection connection, SqlDialect dialect, long pieces) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "create table "
              + stock
              + " (id integer primary key, pieces bigint not null, version bigint not null)");
      statement.execute(
          "create table "
              + orders
              + " (id "
              + dialect.growingId()
              + ", pieces_left bigint not null, token bigint not null)");
      statement.execute(
          "create table "
              + locks
              + " (id integer primary key, code bigint not null unique, place bigint not null)");
    }
    change(connection, "insert into " + locks + " values (1, 1, 1), (2, 2, 2)");
    change(connection, "insert into " + stock + " values (1, ?, 0)", pieces);
  }

  /** Drops the tables. */
  public void drop(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("drop table if exists " + stock);
      statement.execute("drop table if exists " + orders);
      statement.execute("drop table if exists " + locks);
    }
  }

  /** Reads the stock; {@code suffix} follows the statement. */
  public Stock read(Connection connection, String suffix) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select pieces, version from " + stock + suffix)) {
      if (!rows.next()) {
        throw new SQLException("the stock is gone from the store");
      }
      return new Stock(rows.getLong(1), rows.getLong(2));
    }
  }

  /**
   * Locks one of two rows until the end of the transaction.
   *
   * @param indexed whether it is found by a column that has an index
   * @param row 1 or 2
   */
  public void lockRow(Connection connection, SqlDialect dialect, boolean indexed, long row)
      throws SQLException {
    String column = indexed ? "code" : "place";
    String sql = "select id from " + locks + " where " + column + " = ?" + dialect.forUpdate();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, row);
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next()) {
          throw new SQLException("the row is gone from the store");
        }
      }
    }
  }

  /** Writes the stock. */
  public void write(Connection connection, long pieces) throws SQLException {
    change(connection, "update " + stock + " set pieces = ?", pieces);
  }

  /** Writes the stock if it still has this version; returns whether it had. */
  public boolean write(Connection connection, long pieces, long version) throws SQLException {
    String sql = "update " + stock + " set pieces = ?, version = version + 1 where version = ?";
    return change(connection, sql, pieces, version) == 1;
  }

  /** Writes the stock unless a larger token has been seen here; returns whether it did. */
  public boolean writeFenced(Connection connection, long pieces, long token) throws SQLException {
    String sql = "update " + stock + " set pieces = ?, version = ? where version <= ?";
    return change(connection, sql, pieces, token, token) == 1;
  }

  /** Takes one piece if one is left; returns whether one was. */
  public boolean takeOne(Connection connection) throws SQLException {
    String sql = "update " + stock + " set pieces = pieces - 1 where pieces > 0";
    return change(connection, sql) == 1;
  }

  /** Records an order. */
  public void record(Connection connection, long piecesLeft, long token) throws SQLException {
    String sql = "insert into " + orders + " (pieces_left, token) values (?, ?)";
    change(connection, sql, piecesLeft, token);
  }

  /** Reads the tokens of all orders, in the order in which they were recorded. */
  public void tokens(Connection connection, LongConsumer each) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select token from " + orders + " order by id")) {
      while (rows.next()) {
        each.accept(rows.getLong(1));
      }
    }
  }

  private static int change(Connection connection, String sql, long... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setLong(i + 1, values[i]);
      }
      return statement.executeUpdate();
    }
  }
}
