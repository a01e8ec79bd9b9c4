package io.lockkeeper.spi.rule;

import io.lockkeeper.spi.ClaimRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waiting claims of one lock as one step of one client sees them. What is asked is read when it
 * is asked, so that a step costs no more than it needs.
 *
 * @param <X> what a store throws that cannot answer: an error, or that it has yet to read the queue
 */
public interface LockQueue<X extends Exception> {

  /** Says if other clients wait behind the one that was admitted. */
  enum Others {
    /** They do. */
    WAIT,
    /** They do not. */
    NONE,
    /** It was not read; {@link LockQueue#hasOthers} says it. */
    UNKNOWN
  }

  /**
   * Claims that are granted together.
   *
   * @param claims the claims, in order; empty if nobody who is alive waits
   * @param others whether claims of other clients wait behind them
   */
  record Batch(List<StoredClaim> claims, Others others) {

    /** Copies the list. */
    public Batch {
      claims = List.copyOf(claims);
    }
  }

  /**
   * Puts off the death of the caller's claims; those that are dead and not dropped yet live again.
   */
  void heard() throws X;

  /** Returns a claim of the caller, or null if it does not wait. */
  @Nullable StoredClaim find(long claim) throws X;

  /** Returns the first live claim, or null. */
  @Nullable StoredClaim first() throws X;

  /** Returns whether live claims of other clients than this one wait. */
  boolean hasOthers(String client) throws X;

  /** Puts a claim of the caller, which does not wait yet, at the end; returns its arrival. */
  long add(ClaimRequest request) throws X;

  /** Takes out a claim that was found. */
  void remove(StoredClaim claim) throws X;

  /**
   * Takes out the first live claim and the claims directly behind it that {@linkplain
   * StoredClaim#belongsWith belong with it}, at most {@link io.lockkeeper.spi.Store#MAX_BATCH}, and
   * drops the dead before and between them.
   */
  Batch takeBatch() throws X;

  /** Returns whether clients besides the caller are notified; if not, no notices are worked out. */
  boolean notifiesOthers();
}
