package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.fault.ClockShim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** The wall clocks of several servers, one for each, where this machine can shift them. */
final class Clocks implements Supplier<Map<String, String>>, AutoCloseable {

  /**
   * How far ahead or behind: within a lease, and longer than a lease; any two of them less than the
   * minute for which a store remembers requests at least.
   */
  static final List<Duration> NEAR =
      List.of(
          Duration.ofMillis(800),
          Duration.ofMillis(-800),
          Duration.ofSeconds(10),
          Duration.ofSeconds(-10),
          Duration.ofSeconds(25),
          Duration.ofSeconds(-25),
          Duration.ZERO);

  /** By minutes. */
  static final List<Duration> FAR =
      List.of(Duration.ofMinutes(3), Duration.ofMinutes(-3), Duration.ZERO);

  private final List<ClockShim> clocks = new ArrayList<>();

  /** Returns whether there can be any on this machine. */
  static boolean isAvailable() {
    return ClockShim.isAvailable();
  }

  /** Makes the clock of one more server, and returns what that server needs to live by it. */
  @Override
  public Map<String, String> get() {
    if (!isAvailable()) {
      return Map.of();
    }
    ClockShim clock = ClockShim.create();
    clocks.add(clock);
    return clock.environment();
  }

  /**
   * Sets the clock of a server.
   *
   * @param number its place in the order in which they were made
   * @param skews of which one is drawn
   */
  void shift(int number, List<Duration> skews, Random random) {
    clocks.get(number).jumpTo(skews.get(random.nextInt(skews.size())));
  }

  @Override
  public void close() {
    clocks.forEach(ClockShim::close);
  }
}
