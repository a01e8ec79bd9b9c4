package io.lockkeeper.spi;

import java.util.List;

/**
 * A store's decision that a client holds a resource.
 *
 * @param grant the grant's number: that of the first claim of its batch
 * @param claims the claims that it covers, in order; the first may have been withdrawn since
 * @param firstToken the smallest fencing token of its block
 * @param lastToken the largest
 * @param storeMicros the store's clock at the decision, in microseconds; 0 where it has none
 * @param leaseMicros how long it lasts from the decision, in microseconds
 * @param othersWait whether claims of other clients are known to have waited at the decision; a
 *     store that finds out later calls {@link NotificationListener#contended}. Always false for
 *     shared resources
 * @param confirmed whether it has its full lease already; if not, it has only the claim deadline
 */
public record Grant(
    long grant,
    List<Long> claims,
    long firstToken,
    long lastToken,
    long storeMicros,
    long leaseMicros,
    boolean othersWait,
    boolean confirmed) {

  /** Checks the tokens and copies the list. */
  public Grant {
    claims = List.copyOf(claims);
    if (firstToken > lastToken) {
      throw new IllegalArgumentException("token block " + firstToken + ".." + lastToken);
    }
  }
}
