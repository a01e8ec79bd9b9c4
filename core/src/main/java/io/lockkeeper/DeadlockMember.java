package io.lockkeeper;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * One thread of a deadlock: a circle in which each thread waits for what the next one holds.
 *
 * @param client the name of its client
 * @param thread its name
 * @param waitsFor what it waits for, such as {@code lock 'a'} or {@code semaphore 'b'}
 * @param holds what it holds
 * @param waited for how long it had waited when its client last reported it to the others
 */
public record DeadlockMember(
    String client, String thread, String waitsFor, List<String> holds, Duration waited)
    implements Serializable {

  /** Copies the list. */
  public DeadlockMember {
    holds = List.copyOf(holds);
  }

  /** Returns a description in one line. */
  @Override
  public String toString() {
    return "thread '"
        + thread
        + "' of "
        + client
        + " holds "
        + String.join(", ", holds)
        + " and waits for "
        + waitsFor;
  }
}
