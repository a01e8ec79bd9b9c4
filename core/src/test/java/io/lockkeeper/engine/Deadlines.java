package io.lockkeeper.engine;

import java.time.Duration;

/** How long tests wait for what must happen: so long that only a hang exceeds it. */
public final class Deadlines {

  public static final Duration GENEROUS =
      Duration.ofSeconds(20L * Integer.getInteger("lockkeeper.test.delayFactor", 1));

  private Deadlines() {}
}
