package io.lockkeeper.lab.oversell.contest;

import java.util.Map;
import java.util.Set;

/**
 * The commands that a strategy cost the store in a round, the orders' own left out.
 *
 * @param sent commands that its clients sent
 * @param inScripts commands that scripts ran inside the store
 */
public record CommandCount(long sent, long inScripts) {

  /**
   * Counts from two readings of the store's statistics.
   *
   * @param before calls of each command before the round
   * @param after calls of each command after it
   * @param orders calls of each command that were the orders' own
   * @param sentCommands what the strategy's clients send
   */
  public static CommandCount between(
      Map<String, Long> before,
      Map<String, Long> after,
      Map<String, Long> orders,
      Set<String> sentCommands) {
    long sent = 0;
    long inScripts = 0;
    for (Map.Entry<String, Long> entry : after.entrySet()) {
      String command = entry.getKey();
      long calls =
          entry.getValue() - before.getOrDefault(command, 0L) - orders.getOrDefault(command, 0L);
      if (sentCommands.contains(command)) {
        sent += calls;
      } else {
        inScripts += calls;
      }
    }
    return new CommandCount(sent, inScripts);
  }
}
