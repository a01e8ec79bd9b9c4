package io.lockkeeper.engine;

import java.time.Duration;

/** How long tests wait for what must happen: so long that only a hang exceeds it. */
final class Deadlines {

  static final Duration GENEROUS =
      Duration.ofSeconds(20L * Integer.getInteger("lockkeeper.test.delayFactor", 1));

  private Deadlines() {}
}
