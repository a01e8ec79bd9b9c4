package io.lockkeeper.lab.oversell;

import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The statements about one article: its stock is a row of a table, its orders are the rows of
 * another, both made for it. A third has two rows that can be locked in its stead.
 */
public final class SqlArticle {

  /** Makes a select lock its rows until the end of the transaction. */
  static final String FOR_UPDATE = " for update";

  private final JdbcTemplate sql;
  private final Article article;
  private final String stock;
  private final String orders;
  private final String locks;

  /** Creates the statements, for the connections of {@code sql}. */
  public SqlArticle(JdbcTemplate sql, Article article) {
    this.sql = sql;
    this.article = article;
    this.stock = article.shortName();
    this.orders = article.shortName() + "_orders";
    this.locks = article.shortName() + "_locks";
  }

  SqlArticle second() {
    return new SqlArticle(sql, article.second());
  }

  /**
   * Makes the tables.
   *
   * @param growingId the database's words for a key that it counts up
   */
  void create(String growingId, long pieces) {
    sql.execute(
        "create table %s (id integer primary key, pieces bigint not null, version bigint not null)"
            .formatted(stock));
    sql.execute(
        "create table %s (id %s, pieces_left bigint not null, token bigint not null)"
            .formatted(orders, growingId));
    sql.execute(
        "create table %s (id integer primary key, code bigint not null unique, place bigint not null)"
            .formatted(locks));
    change("insert into " + locks + " values (1, 1, 1), (2, 2, 2)");
    change("insert into " + stock + " values (1, ?, 0)", pieces);
  }

  void drop() {
    List.of(stock, orders, locks).forEach(table -> sql.execute("drop table if exists " + table));
  }

  /** Reads how many pieces are left; {@code suffix} follows the statement. */
  public long read(String suffix) {
    return row(suffix).getOrDefault("pieces", 0L);
  }

  /** Reads pieces and version. */
  Map<String, Long> row(String suffix) {
    return sql.queryForObject(
        "select pieces, version from " + stock + suffix,
        (row, number) -> Map.of("pieces", row.getLong(1), "version", row.getLong(2)));
  }

  /**
   * Locks one of two rows until the end of the transaction.
   *
   * @param indexed whether it is found by a column that has an index
   * @param row 1 or 2
   */
  void lockRow(boolean indexed, long row) {
    String column = indexed ? "code" : "place";
    sql.queryForList("select id from " + locks + " where " + column + " = ?" + FOR_UPDATE, row);
  }

  /** Records an order and writes the stock. */
  public void sell(long piecesLeft, long token) {
    record(piecesLeft, token);
    change("update " + stock + " set pieces = ?", piecesLeft);
  }

  /** Writes the stock if it still has this version; returns whether it had. */
  boolean write(long pieces, long version) {
    String text = "update " + stock + " set pieces = ?, version = version + 1 where version = ?";
    return change(text, pieces, version) == 1;
  }

  /** Writes the stock unless a larger token has been seen here; returns whether it did. */
  boolean writeFenced(long pieces, long token) {
    String text = "update " + stock + " set pieces = ?, version = ? where version <= ?";
    return change(text, pieces, token, token) == 1;
  }

  /** Takes one piece if one is left; returns whether one was. */
  boolean takeOne() {
    return change("update " + stock + " set pieces = pieces - 1 where pieces > 0") == 1;
  }

  void record(long piecesLeft, long token) {
    change("insert into " + orders + " (pieces_left, token) values (?, ?)", piecesLeft, token);
  }

  /** Reads the tokens of all orders, in the order in which they were recorded. */
  List<Long> tokens() {
    return sql.queryForList("select token from " + orders + " order by id", Long.class);
  }

  private int change(String text, Object... values) {
    return sql.update(text, values);
  }
}
