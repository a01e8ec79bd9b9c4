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
   * How far ahead or behind: within a lease, and longer than a lease; any two of them, and the time
   * that a request waits for an answer, less than the minute for which a store remembers requests
   * at least.
   */
  static final List<Duration> NEAR =
      List.of(
          Duration.ofMillis(800),
          Duration.ofMillis(-800),
          Duration.ofSeconds(10),
          Duration.ofSeconds(-10),
          Duration.ofSeconds(15),
          Duration.ofSeconds(-15),
          Duration.ZERO);

  /** By minutes. */
  static final List<Duration> FAR =
      List.of(Duration.ofMinutes(3), Duration.ofMinutes(-3), Duration.ZERO);

  private final List<ClockShim> clocks = new ArrayList<>();

  /** How far each is ahead of the machine's. */
  private final List<Duration> offsets = new ArrayList<>();

  static boolean isAvailable() {
    return ClockShim.isAvailable();
  }

  /** Makes the clock of one more server, and returns what that server needs to live by it. */
  @Override
  public Map<String, String> get() {
    ClockShim clock = ClockShim.createIfPossible();
    clocks.add(clock);
    offsets.add(Duration.ZERO);
    return clock.environment();
  }

  /**
   * Sets the clock of a server ahead of that of another one, or behind.
   *
   * @param number its place in the order in which they were made
   * @param other that of the other one
   * @param skews of which one is drawn
   */
  void shift(int number, int other, List<Duration> skews, Random random) {
    jump(number, offsets.get(other).plus(skews.get(random.nextInt(skews.size()))));
  }

  /**
   * Sets the clock of a server as that of another one, if it is far from it; returns whether so.
   */
  boolean bringNear(int number, int other) {
    Duration distance = offsets.get(number).minus(offsets.get(other)).abs();
    boolean isFar = NEAR.stream().noneMatch(near -> distance.compareTo(near) <= 0);
    if (isFar) {
      jump(number, offsets.get(other));
    }
    return isFar;
  }

  private void jump(int number, Duration offset) {
    clocks.get(number).jumpTo(offset);
    offsets.set(number, offset);
  }

  @Override
  public void close() {
    clocks.forEach(ClockShim::close);
  }
}
