package io.lockkeeper.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a resource, how many wait, and how much of it is out.
 *
 * @param holders the grants that are not over, by first token; at most one for a lock
 * @param waiting how many live claims wait
 * @param limit how many permits the resource has; {@link #UNSET} as long as no claim has said it
 *     (see {@link Store#resize})
 * @param out how many permits the holders have, in all
 */
public record Inspection(List<Holder> holders, int waiting, int limit, long out) {

  /** The limit of a resource that is out of use and was never resized: the next claim says it. */
  public static final int UNSET = -1;

  /** Copies the list. */
  public Inspection {
    holders = List.copyOf(holders);
  }

  /** Creates the inspection of a lock. */
  public Inspection(@Nullable Holder holder, int waiting) {
    this(holder == null ? List.of() : List.of(holder), waiting, 1, holder == null ? 0 : 1);
  }

  /** Returns the inspection of a resource that the store does not know. */
  public static Inspection unknown(ResourceKind kind) {
    return new Inspection(List.of(), 0, kind == ResourceKind.LOCK ? 1 : UNSET, 0);
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
   */
  public record Holder(String clientId, long grant, long token, int permits, long leaseMicros) {

    /** Creates the holder of a lock. */
    public Holder(String clientId, long grant, long token, long leaseMicros) {
      this(clientId, grant, token, 1, leaseMicros);
    }
  }
}
