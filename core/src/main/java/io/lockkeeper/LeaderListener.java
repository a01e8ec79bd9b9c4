package io.lockkeeper;

/**
 * Receives the events of a candidate. Called on the client's executor, one call at a time; each
 * {@code elected} is followed by one {@code lost} of the same term, whatever ended it, before the
 * next. What it throws is logged and otherwise ignored.
 */
public interface LeaderListener {

  /**
   * Called when this candidate has become the leader. This method should start the leader's work
   * elsewhere and return: as long as it runs, {@link #lost} cannot be called. The term may be over
   * already: check {@link Term#isValid}.
   */
  void elected(Term term);

  /**
   * Called when a term has ended: it was lost, resigned or closed. The candidate goes back to the
   * queue when this method has returned, so it is not elected again while it still cleans up.
   */
  void lost(Term term);

  /**
   * Called when the store did not answer or refused. The candidate tries again after a pause. Does
   * nothing unless it is overridden.
   */
  default void failed(LockkeeperException failure) {}
}
