package io.lockkeeper.spi;

import io.lockkeeper.ResourceKind;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A store's report on one resource: its holders, its waiters, and how many permits are in use.
 *
 * @param holders the grants that are not over, by first token; at most one for a lock
 * @param waiters the live claims that wait, in order
 * @param limit how many permits the resource has; empty as long as no claim has set it (see {@link
 *     Store#resize})
 * @param out how many permits the holders have in all
 */
public record Inspection(List<Holder> holders, List<Waiter> waiters, OptionalInt limit, long out) {

  /**
   * Stands in records for the limit of a resource that nobody uses and that was never resized: the
   * next claim sets it.
   */
  public static final int UNSET = -1;

  /** Copies the lists. */
  public Inspection {
    holders = List.copyOf(holders);
    waiters = List.copyOf(waiters);
  }

  /**
   * Creates an inspection with a limit as records have it.
   *
   * @param limit the limit, or {@link #UNSET}
   */
  public Inspection(List<Holder> holders, List<Waiter> waiters, int limit, long out) {
    this(holders, waiters, known(limit), out);
  }

  /** Creates the inspection of a lock. */
  public Inspection(@Nullable Holder holder, List<Waiter> waiters) {
    this(holder == null ? List.of() : List.of(holder), waiters, 1, holder == null ? 0 : 1);
  }

  /** Returns the inspection of a resource that the store does not know. */
  public static Inspection unknown(ResourceKind kind) {
    return new Inspection(List.of(), List.of(), kind.isExclusive() ? 1 : UNSET, 0);
  }

  /** Returns a limit that records have as a number: empty if that is {@link #UNSET}. */
  static OptionalInt known(int limit) {
    return limit == UNSET ? OptionalInt.empty() : OptionalInt.of(limit);
  }

  /** Returns how many live claims wait. */
  public int waiting() {
    return waiters.size();
  }

  /** Returns whether nobody holds it and nobody waits. */
  public boolean isIdle() {
    return holders.isEmpty() && waiters.isEmpty();
  }

  /** Returns the first holder, or null if there is none. */
  public @Nullable Holder holder() {
    return holders.isEmpty() ? null : holders.get(0);
  }

  /**
   * Returns how many permits are free: the limit minus the permits in use. Negative if the limit
   * was lowered below the permits in use.
   *
   * @param limitIfUnset the limit that the next claim would set
   */
  public long available(int limitIfUnset) {
    return (long) limit.orElse(limitIfUnset) - out;
  }

  /**
   * A current grant.
   *
   * @param clientId the client that made it; of a lock that {@linkplain #isResting rests} the one
   *     that {@linkplain #resting stands for} it
   * @param grant its number
   * @param token its first token
   * @param permits how many permits it has; 1 for a lock
   * @param leaseMicros the time that is left of its lease
   * @param heldMicros how long ago it was made, to within a few milliseconds
   * @param label of a lock the label that a {@linkplain RenewRequest#label() renewal} gave it; else
   *     that of its {@linkplain ClaimRequest#label() claim}, or empty if it covers several
   */
  public record Holder(
      String clientId,
      long grant,
      long token,
      int permits,
      long leaseMicros,
      long heldMicros,
      String label) {

    /**
     * The id that a store writes down as the holder of what may be held by a client that it has
     * forgotten.
     */
    public static final String FORGOTTEN = "?";

    /** The beginning of the id that a store writes down as the holder of a lock that rests. */
    private static final String RESTING = "~";

    /**
     * Returns the id that holds a lock in the place of its last client while it rests. No client
     * has it, so nobody can renew or release the grant: it ends by itself or by force.
     */
    public static String resting(String clientId) {
      return RESTING + clientId;
    }

    /** Returns whether an id {@linkplain #resting stands for a lock that rests}. */
    public static boolean isResting(String clientId) {
      return clientId.startsWith(RESTING);
    }

    /** Returns whether nobody holds the lock: its last holder wanted it to stay closed. */
    public boolean isResting() {
      return isResting(clientId);
    }

    /** Returns the client that holds it, or that held it last if it rests. */
    public String lastClientId() {
      return lastClientId(clientId);
    }

    /** Returns the client that an id is of, or that it {@linkplain #resting stands for}. */
    public static String lastClientId(String clientId) {
      return isResting(clientId) ? clientId.substring(RESTING.length()) : clientId;
    }
  }

  /**
   * A live claim that waits.
   *
   * @param clientId the client that made it
   * @param claim its number
   * @param permits how many permits it wants; 1 for a lock
   * @param waitedMicros how long ago it arrived, to within a few milliseconds
   * @param label its label
   */
  public record Waiter(String clientId, long claim, int permits, long waitedMicros, String label) {}
}
