package io.lockkeeper;

import java.util.List;

/**
 * Thrown to break a deadlock: the threads of a circle, perhaps of several processes, each waited
 * for what the next one holds. It is thrown in the thread that began to wait last among those whose
 * clients allow it with {@link LockkeeperBuilder#breakDeadlocks(boolean)}. Nothing new is held, and
 * what the thread held before it still holds: release it, so that the others can go on.
 */
public final class DeadlockException extends LockkeeperException {

  private static final long serialVersionUID = 1L;

  private final DeadlockMember[] cycle;

  /** Creates the exception. */
  public DeadlockException(String message, List<DeadlockMember> cycle) {
    super(message, null);
    this.cycle = cycle.toArray(DeadlockMember[]::new);
  }

  /** Returns the circle; each thread waits for the next one, the last for the first. */
  public List<DeadlockMember> cycle() {
    return cycle == null ? List.of() : List.of(cycle);
  }
}
