package io.lockkeeper.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a resource, who waits for it, and how much of it is out.
 *
 * @param holders the grants that are not over, by first token; at most one for a lock
 * @param waiters the live claims that wait, in order
 * @param limit how many permits the resource has; {@link #UNSET} as long as no claim has said it
 *     (see {@link Store#resize})
 * @param out how many permits the holders have, in all
 */
public record Inspection(List<Holder> holders, List<Waiter> waiters, int limit, long out) {

  /** The limit of a resource that is out of use and was never resized: the next claim says it. */
  public static final int UNSET = -1;

  /** Copies the lists. */
  public Inspection {
    holders = List.copyOf(holders);
    waiters = List.copyOf(waiters);
  }

  /** Creates the inspection of a lock. */
  public Inspection(@Nullable Holder holder, List<Waiter> waiters) {
    this(holder == null ? List.of() : List.of(holder), waiters, 1, holder == null ? 0 : 1);
  }

  /** Returns the inspection of a resource that the store does not know. */
  public static Inspection unknown(ResourceKind kind) {
    return new Inspection(List.of(), List.of(), kind == ResourceKind.LOCK ? 1 : UNSET, 0);
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
   * Returns how many permits are left: the limit less what is out. Negative if the limit was
   * lowered below what is out.
   *
   * @param limitIfUnset the limit that the next claim would bring with it
   */
  public long available(int limitIfUnset) {
    return (limit == UNSET ? limitIfUnset : limit) - out;
  }

  /**
   * A current grant.
   *
   * @param clientId whose it is
   * @param grant its number
   * @param token its first token
   * @param permits how many permits it has; 1 for a lock
   * @param leaseMicros how long it still lasts
   * @param heldMicros how long ago it was made, to within a few milliseconds
   * @param label the {@linkplain ClaimRequest#label() label} of its first claim
   */
  public record Holder(
      String clientId,
      long grant,
      long token,
      int permits,
      long leaseMicros,
      long heldMicros,
      String label) {}

  /**
   * A live claim that waits.
   *
   * @param clientId whose it is
   * @param claim its number
   * @param permits how many permits it wants; 1 for a lock
   * @param waitedMicros how long ago it arrived, to within a few milliseconds
   * @param label its label
   */
  public record Waiter(String clientId, long claim, int permits, long waitedMicros, String label) {}
}
