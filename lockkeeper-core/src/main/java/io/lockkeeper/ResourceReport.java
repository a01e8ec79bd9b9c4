package io.lockkeeper;

import java.util.List;
import java.util.OptionalInt;

/**
 * A report on one resource: who holds it and who waits for it, as the store saw it at one moment.
 *
 * @param kind its kind
 * @param name its name
 * @param limit how many permits there are: 1 for a lock, the number of parties of a barrier; empty
 *     for a read-write lock, which has no limit, and if nobody has set it
 * @param holders its holders, in order of their tokens; of a barrier, the members that have just
 *     passed
 * @param waiters its waiters, in the order of the queue
 */
public record ResourceReport(
    ResourceKind kind,
    String name,
    OptionalInt limit,
    List<HolderReport> holders,
    List<WaiterReport> waiters) {

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
