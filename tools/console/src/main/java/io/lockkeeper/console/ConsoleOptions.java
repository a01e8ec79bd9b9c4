package io.lockkeeper.console;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The settings of a {@link Console}. Immutable; each {@code with} method returns a changed copy.
 *
 * @param port where it listens; 0 for one that is free
 * @param refresh how long after a look at the store the next one is at the earliest
 * @param mostListed how many resources are shown; sums are over all
 * @param audit where a line goes for each forced release; empty if the page may change nothing
 */
public record ConsoleOptions(
    int port, Duration refresh, int mostListed, Optional<Consumer<String>> audit) {

  private static final int LARGEST_PORT = 65_535;
  private static final ConsoleOptions DEFAULTS =
      new ConsoleOptions(0, Duration.ofSeconds(1), 500, Optional.empty());

  /** Checks them. */
  public ConsoleOptions {
    if (port < 0 || port > LARGEST_PORT) {
      throw new IllegalArgumentException("port must be from 0 to 65535, was " + port);
    } else if (refresh.compareTo(Duration.ofMillis(100)) < 0) {
      throw new IllegalArgumentException("refresh must be 100 ms at least, was " + refresh);
    } else if (mostListed < 1) {
      throw new IllegalArgumentException("mostListed must be 1 at least, was " + mostListed);
    }
  }

  /** Returns a free port, one second, 500 resources, and nothing that changes anything. */
  public static ConsoleOptions defaults() {
    return DEFAULTS;
  }

  /** Sets where it listens; 0 for a port that is free. */
  public ConsoleOptions withPort(int newPort) {
    return new ConsoleOptions(newPort, refresh, mostListed, audit);
  }

  /** Sets how long after a look at the store the next one is at the earliest. */
  public ConsoleOptions withRefresh(Duration newRefresh) {
    return new ConsoleOptions(port, newRefresh, mostListed, audit);
  }

  /** Sets how many resources are shown. */
  public ConsoleOptions withMostListed(int most) {
    return new ConsoleOptions(port, refresh, most, audit);
  }

  /** Allows forced releases, each of which {@code newAudit} gets as one line. */
  public ConsoleOptions withRelease(Consumer<String> newAudit) {
    return new ConsoleOptions(port, refresh, mostListed, Optional.of(newAudit));
  }
}
