package io.lockkeeper.servers;

import java.util.HashMap;
import java.util.Map;

/**
 * A Redis server's counts of one command.
 *
 * @param calls how often it ran
 * @param micros how long these runs took together, in microseconds
 */
public record CommandStat(long calls, long micros) {

  /** Returns the mean duration of a run, in microseconds. */
  public double microsPerCall() {
    return (double) micros / calls;
  }

  /** Reads a value such as {@code calls=12,usec=34,usec_per_call=2.83}. */
  static CommandStat parse(String text) {
    Map<String, String> fields = new HashMap<>();
    for (String field : text.split(",", -1)) {
      String[] parts = field.split("=", 2);
      fields.put(parts[0], parts[1]);
    }
    return new CommandStat(
        Long.parseLong(fields.getOrDefault("calls", "0")),
        Long.parseLong(fields.getOrDefault("usec", "0")));
  }
}
