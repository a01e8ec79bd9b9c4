package io.lockkeeper.engine.deadlock;

import io.lockkeeper.engine.coordination.ResourceCoordinator;
import io.lockkeeper.engine.coordination.ResourceCoordinators;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.state.Waiter;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.support.StoredId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Looks which threads of this client hold something and wait for something else. */
final class ThreadSurvey {

  private static final long MIN_PAUSE_NANOS = 1_000_000;

  private final ResourceCoordinators resources;
  private final ClientRuntime runtime;
  private final boolean breaksDeadlocks;
  private final long suspectNanos;

  /**
   * Creates one.
   *
   * @param breaksDeadlocks whether a wait of this client may be ended to break a circle
   * @param suspectNanos how long a thread waits before it is suspected
   */
  ThreadSurvey(ResourceCoordinators resources, boolean breaksDeadlocks, long suspectNanos) {
    this.resources = resources;
    this.runtime = resources.runtime();
    this.breaksDeadlocks = breaksDeadlocks;
    this.suspectNanos = suspectNanos;
  }

  /**
   * Tells what was found.
   *
   * @param suspects those that hold something and have waited long enough
   * @param waits whether any thread waits
   * @param dueInNanos how soon the next thread will have waited long enough
   */
  record Result(List<Suspect> suspects, boolean waits, long dueInNanos) {}

  /** Looks at all threads. */
  Result run() {
    Map<Thread, List<Suspect.Held>> holds = new HashMap<>();
    boolean waits = false;
    for (ResourceCoordinator each : resources.all()) {
      each.visitHolders(
          (thread, hold) ->
              holds
                  .computeIfAbsent(thread, t -> new ArrayList<>())
                  .add(new Suspect.Held(each.resource(), hold.token(), hold.permits())));
      waits |= each.isAwaited();
    }
    List<Suspect> suspects = new ArrayList<>();
    AtomicLong dueInNanos = new AtomicLong(suspectNanos);
    if (!holds.isEmpty() && waits) {
      for (ResourceCoordinator each : resources.all()) {
        each.visitWaiters(
            waiter -> holds.containsKey(waiter.thread()),
            (waiter, arrival) -> {
              long leftNanos = waiter.startNanos() + suspectNanos - runtime.now();
              List<Suspect.Held> held = holds.get(waiter.thread());
              if (held != null && leftNanos <= 0) {
                suspects.add(suspect(each.resource(), waiter, arrival, held));
              } else {
                dueInNanos.accumulateAndGet(Math.max(MIN_PAUSE_NANOS, leftNanos), Math::min);
              }
            });
      }
    }
    suspects.sort(Comparator.comparing(Suspect::key));
    return new Result(suspects, waits, dueInNanos.get());
  }

  private Suspect suspect(
      ResourceId resource, Waiter waiter, long arrival, List<Suspect.Held> holds) {
    Thread thread = waiter.thread();
    holds.sort(
        Comparator.comparing((Suspect.Held held) -> StoredId.of(held.resource()).text())
            .thenComparing(Suspect.Held::token));
    return new Suspect(
        runtime.clientId(),
        runtime.clientName(),
        breaksDeadlocks,
        waiter.threadId(),
        thread == null ? "" : thread.getName(),
        waiter.startNanos(),
        (runtime.now() - waiter.startNanos()) / 1_000_000,
        arrival,
        resource,
        waiter.share().permits(),
        waiter.share().limit(),
        false,
        holds);
  }

  /** Ends the wait of a suspect of this client; returns false if it is over already. */
  boolean refuse(Suspect suspect, RuntimeException cause) {
    ResourceCoordinator coordinator = resources.existing(suspect.resource());
    Waiter waiter = coordinator == null ? null : waiter(coordinator, suspect);
    return coordinator != null && waiter != null && coordinator.refuse(waiter, cause);
  }

  private static @Nullable Waiter waiter(ResourceCoordinator coordinator, Suspect suspect) {
    List<Waiter> found = new ArrayList<>();
    coordinator.visitWaiters(
        waiter ->
            waiter.threadId() == suspect.thread() && waiter.startNanos() == suspect.waitNumber(),
        (waiter, arrival) -> found.add(waiter));
    return found.isEmpty() ? null : found.get(0);
  }
}
