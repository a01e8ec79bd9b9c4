package io.lockkeeper.engine.view;

import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.support.RecentlyUsed;

/**
 * Logs that the number of permits in force at the store is not the one that this client gives.
 * Costs one request for each semaphore that a client uses, after its first use.
 */
final class LimitCheck {

  private static final int MOST = 1_000;

  private final ClientRuntime runtime;

  /** The numbers that have been given, by the names of semaphores. */
  private final RecentlyUsed<String, Integer> given = new RecentlyUsed<>(MOST);

  LimitCheck(ClientRuntime runtime) {
    this.runtime = runtime;
  }

  /** Notes that a semaphore was used: permits were acquired, or were not free. */
  void used(ResourceId semaphore, int permits) {
    Integer before = given.get(semaphore.name());
    if (before == null || before != permits) {
      given.put(semaphore.name(), permits);
      StoreCalls.tell(
          runtime,
          semaphore.name(),
          () -> runtime.store().inspect(semaphore),
          outcome -> compare(semaphore, permits, outcome));
    }
  }

  private void compare(ResourceId semaphore, int permits, Outcome<Inspection> outcome) {
    if (outcome instanceof Outcome.Answered<Inspection> answered) {
      answered
          .answer()
          .limit()
          .ifPresent(
              inForce -> {
                if (inForce != permits) {
                  runtime.log().otherLimit(semaphore.name(), inForce, permits);
                }
              });
    }
  }
}
