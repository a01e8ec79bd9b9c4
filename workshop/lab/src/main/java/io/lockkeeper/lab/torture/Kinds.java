package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.history.ResourceType;

/** What the threads of a worker use; locks twice as often as the rest. */
final class Kinds {

  static final ResourceType[] ALL = {
    ResourceType.LOCK,
    ResourceType.LOCK,
    ResourceType.FAIR,
    ResourceType.FAIR,
    ResourceType.RW,
    ResourceType.SEMAPHORE,
    ResourceType.COUNTER,
    ResourceType.LATCH
  };

  private Kinds() {}
}
