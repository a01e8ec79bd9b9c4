package io.lockkeeper.engine.view;

import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Logs that the number of permits in force at the store is not the one that this client gives.
 * Costs one request after the first use of a semaphore, for the first thousand that a client uses.
 */
final class LimitCheck {

  private static final int MOST = 1_000;

  private final ClientRuntime runtime;

  /** The semaphores that have been compared; it never shrinks, so that none is compared again. */
  private final Set<Given> compared = ConcurrentHashMap.newKeySet();

  private record Given(String name, int permits) {}

  LimitCheck(ClientRuntime runtime) {
    this.runtime = runtime;
  }

  /** Notes that a semaphore was used: permits were acquired, or were not free. */
  void used(ResourceId semaphore, int permits) {
    Given given = new Given(semaphore.name(), permits);
    if (!compared.contains(given) && compared.size() < MOST && compared.add(given)) {
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
