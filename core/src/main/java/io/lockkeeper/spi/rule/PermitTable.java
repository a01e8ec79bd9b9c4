package io.lockkeeper.spi.rule;

import io.lockkeeper.spi.ClaimRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The claims and grants of one resource that is shared, as one step of one client sees and changes
 * them. What is asked is read when it is asked.
 *
 * @param <X> what a store throws that cannot answer: an error, or that it has yet to read the queue
 */
public interface PermitTable<X extends Exception> extends Admission.Waiting<X> {

  /** Puts off the death of the caller's waiting claims. */
  void heard() throws X;

  /** Drops the grants that are over. */
  void dropThoseOver() throws X;

  /** Returns what is there of a client under this number, or null. */
  @Nullable StoredClaim find(String client, long claim) throws X;

  /** Returns all grants of a client. */
  List<StoredClaim> grants(String client) throws X;

  /** Returns all grants. */
  List<StoredClaim> allGrants() throws X;

  /** Returns how many permits all grants have together. */
  long out();

  /** Returns when the first grant is over, or null if there is none. */
  @Nullable Long firstEndMicros();

  /** Returns whether nobody holds anything or waits. */
  boolean isEmpty();

  /**
   * Passes live claims through the door in the order of arrival, and returns those that it admits,
   * which are still in the queue. The dead that come by are dropped.
   */
  List<StoredClaim> walk(Door door) throws X;

  /** Puts a claim of the caller, of which nothing is there, at the end; returns its arrival. */
  long add(ClaimRequest request) throws X;

  /** Grants, for its full lease, a claim of the caller of which nothing is there; returns it. */
  StoredClaim addGrant(ClaimRequest request, long token) throws X;

  /** Makes a claim that waits a grant; returns the grant. */
  StoredClaim grant(StoredClaim waiting, long leaseMillis, long token, boolean confirmed) throws X;

  /**
   * Gives a grant its full lease, if that ends later, and leaves it not more than so many permits;
   * returns it so.
   */
  StoredClaim renew(StoredClaim grant, long leaseMillis, int most) throws X;

  /** Takes out a claim that waits, or a grant. */
  void remove(StoredClaim claim) throws X;

  /**
   * Remembers a request of the caller for so long, as {@linkplain StoredClaim.State#DONE done}.
   *
   * @param known what is there of it, which then is not any more; or null
   */
  void remember(long number, @Nullable StoredClaim known, long millis) throws X;

  /** Returns for how long a claim lives without a sign of its client. */
  long heartbeatMillis();

  /** Returns whether clients besides the caller are notified; if not, no notices are worked out. */
  boolean notifiesOthers();
}
