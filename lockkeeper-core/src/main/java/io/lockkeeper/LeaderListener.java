package io.lockkeeper;

/**
 * Hears how a candidate fares. Called on the client's executor, one call at a time; each {@code
 * elected} is followed by one {@code lost} of the same term, whatever ended it, before the next.
 * What it throws is logged and otherwise ignored.
 */
public interface LeaderListener {

  /**
   * Called when this candidate has become the leader. It should begin the leader's work elsewhere
   * and return: as long as it runs, {@link #lost} cannot be called. The term may be over already;
   * {@link Term#isValid} tells.
   */
  void elected(Term term);

  /**
   * Called when a term has ended: it was lost, resigned or closed. The candidate goes back into the
   * line when this has returned, so that it is not elected again while it still cleans up.
   */
  void lost(Term term);

  /**
   * Called when the store did not answer or refused. The candidate tries again after a pause. Does
   * nothing unless it is overridden.
   */
  default void failed(LockkeeperException failure) {}
}
