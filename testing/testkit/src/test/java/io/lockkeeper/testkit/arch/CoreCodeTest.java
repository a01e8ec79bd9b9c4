package io.lockkeeper.testkit.arch;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MigratingLock;
import java.util.Map;

/** The core. Its own tests cannot know the test kit, which is built after it. */
class CoreCodeTest extends CodeRules {

  private static final String RUNTIME = "io.lockkeeper.engine.runtime.";

  CoreCodeTest() {
    super(Lockkeeper.class);
  }

  @Override
  protected Map<String, String> readersOfClocks() {
    return Map.of(
        RUNTIME + "SuspendAwareClock",
        "it is the clock of the environment",
        MigratingLock.class.getName(),
        "it has no environment, and measures a wait for a lock that is not ours");
  }

  @Override
  protected Map<String, String> sourcesOfRandomness() {
    return Map.of(RUNTIME + "SystemEnvironment", "it makes the environment");
  }
}
