package io.lockkeeper.cli.oversell.sql;

/** A JDBC URL in Lockkeeper's spelling, for the driver. */
final class SqlAddress {

  private SqlAddress() {}

  /** Returns the URL that the driver knows. */
  static String of(String url) {
    return url;
  }
}
