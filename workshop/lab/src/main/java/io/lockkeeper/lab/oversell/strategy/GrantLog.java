package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The grants that one client's listener heard of, by resource. Events come late, so it can wait.
 */
public final class GrantLog implements LockListener {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Map<String, List<Grant>> grants = new HashMap<>(); // guarded by this

  /** Creates one that has heard of none. */
  public GrantLog() {}

  @Override
  public synchronized void onEvent(LockEvent event) {
    if (event instanceof LockEvent.Acquired acquired) {
      grants
          .computeIfAbsent(acquired.name(), name -> new ArrayList<>())
          .add(new Grant(acquired.token(), acquired.arrival().orElse(-1)));
      notifyAll();
    }
  }

  /**
   * Returns the grants of this resource once there are {@code expected}.
   *
   * @throws IllegalStateException if they do not come
   */
  public synchronized List<Grant> await(String name, int expected) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (seen(name).size() < expected) {
      long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
      if (leftMillis <= 0) {
        throw new IllegalStateException(
            "the listener heard of " + seen(name).size() + " grants of " + expected);
      }
      wait(leftMillis);
    }
    return List.copyOf(seen(name));
  }

  /** Forgets what it has heard of. */
  public synchronized void clear() {
    grants.clear();
  }

  private List<Grant> seen(String name) {
    return grants.getOrDefault(name, List.of());
  }
}
