package io.lockkeeper;

import java.util.List;

/**
 * Who holds a resource and who waits for it, as the store saw it at one moment.
 *
 * @param kind what it is
 * @param name its name
 * @param limit how many permits there are: 1 for a lock, {@link Integer#MAX_VALUE} for a read-write
 *     lock, the number of parties of a barrier; -1 if nobody has said it
 * @param holders who holds it, in order of their tokens. Of a barrier, those who have just passed
 * @param waiters who waits, in order
 */
public record ResourceReport(
    Kind kind, String name, int limit, List<HolderReport> holders, List<WaiterReport> waiters) {

  /** What can be held and waited for. */
  public enum Kind {
    /** What {@link Lockkeeper#lock} and {@link Lockkeeper#fairLock} return. */
    LOCK,
    /** What {@link Lockkeeper#readWriteLock} returns. */
    READ_WRITE_LOCK,
    /** What {@link Lockkeeper#semaphore} returns. */
    SEMAPHORE,
    /** What {@link Lockkeeper#barrier} returns. */
    BARRIER,
    /** What {@link Lockkeeper#leaderElection} returns: the leader holds it, candidates wait. */
    LEADER_ELECTION
  }

  /** Copies the lists. */
  public ResourceReport {
    holders = List.copyOf(holders);
    waiters = List.copyOf(waiters);
  }

  /** Returns whether nobody holds it and nobody waits. */
  public boolean isIdle() {
    return holders.isEmpty() && waiters.isEmpty();
  }
}
