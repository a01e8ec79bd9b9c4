package io.lockkeeper.lab.oversell.shop;

import java.util.HashMap;
import java.util.Map;

/** Reads what the INFO command answers. */
final class RedisInfo {

  private static final String COMMAND_PREFIX = "cmdstat_";
  private static final String CALLS = "calls=";

  private RedisInfo() {}

  /** Returns the fields of an answer. */
  static Map<String, String> fields(String info) {
    Map<String, String> fields = new HashMap<>();
    info.lines()
        .filter(line -> !line.startsWith("#") && line.indexOf(':') > 0)
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            });
    return fields;
  }

  /** Returns the command that a field of the section {@code commandstats} is about. */
  static String command(String field) {
    return field.startsWith(COMMAND_PREFIX) ? field.substring(COMMAND_PREFIX.length()) : field;
  }

  /** Returns the number of calls in a value such as {@code calls=3,usec=12,usec_per_call=4.00}. */
  static long calls(String value) {
    for (String part : value.split(",", -1)) {
      if (part.startsWith(CALLS)) {
        return Long.parseLong(part.substring(CALLS.length()));
      }
    }
    throw new IllegalArgumentException("no calls in " + value);
  }
}
