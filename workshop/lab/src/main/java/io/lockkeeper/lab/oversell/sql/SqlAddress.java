package io.lockkeeper.lab.oversell.sql;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A JDBC URL in Lockkeeper's spelling, for the driver: without Lockkeeper's own parameters. */
final class SqlAddress {

  private static final String OWN = "lockkeeper.";

  private SqlAddress() {}

  /** Returns the URL that the driver knows. */
  static String of(String url) {
    int mark = url.indexOf('?');
    if (mark < 0) {
      return url;
    }
    String others =
        Arrays.stream(url.substring(mark + 1).split("&", -1))
            .filter(parameter -> !parameter.startsWith(OWN))
            .collect(Collectors.joining("&"));
    return others.isEmpty() ? url.substring(0, mark) : url.substring(0, mark + 1) + others;
  }
}
