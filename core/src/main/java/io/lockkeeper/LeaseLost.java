package io.lockkeeper;

import java.io.Serializable;

/**
 * The notification that a lease was lost while its holder still counted on it.
 *
 * @param kind the kind of the resource
 * @param name its name
 * @param token the lost lease's fencing token
 * @param reason why
 */
public record LeaseLost(ResourceKind kind, String name, long token, Reason reason)
    implements Serializable {

  /** Why a lease was lost. */
  public enum Reason {
    /** It expired: no renewal got through, or the process did not run. */
    EXPIRED,
    /** Its fixed time passed. */
    FIXED_LEASE_ENDED,
    /**
     * The store no longer knows it: the lease was revoked by force, or the store was flushed,
     * restarted empty or failed over.
     */
    NOT_AT_STORE,
    /** The client was closed. */
    CLIENT_CLOSED,
    /** The thread that owned it has died. */
    OWNER_DIED
  }

  @Override
  public String toString() {
    return "lease of " + kind + " '" + name + "' with token " + token + " lost: " + reason;
  }
}
