package io.lockkeeper;

import java.util.Optional;

/**
 * One client's part in an election: a candidate between {@link #start} and {@link #close()},
 * otherwise an observer. All elections of one name have the same leader, over all clients of a
 * store.
 *
 * <p>Candidates become the leader in the order in which they joined. A leader remains the leader
 * until it resigns, closes, its client closes, or its term is lost. Then the next candidate is
 * elected at once, or after a crash when the lease has expired.
 *
 * <p>{@link #isLeader()} and {@link Term#isValid()} turn false by themselves, before anybody else
 * can be elected, and are always up to date; callbacks may come later. A leader that was frozen
 * beyond its term can still write late, and only {@link Term#token()} keeps such a write out.
 */
public interface LeaderElection extends AutoCloseable {

  /** Returns the election's name. */
  String name();

  /**
   * Becomes a candidate. Does not wait for the store, which need not be reachable yet.
   *
   * @throws IllegalStateException if this was started or closed before
   * @throws LockkeeperClosedException if the client is closed
   */
  void start(LeaderListener listener);

  /** Returns whether this candidate leads now. No I/O, no blocking. */
  boolean isLeader();

  /** Returns this candidate's term, if it leads now. No I/O, no blocking. */
  Optional<Term> term();

  /**
   * Asks the store for the current leader. Candidates and observers see the same.
   *
   * @throws StoreUnavailableException if the store does not answer
   * @throws LockkeeperClosedException if the client is closed
   */
  Optional<Leader> leader();

  /**
   * Steps down and goes to the end of the queue; does nothing if this candidate does not lead. The
   * term is over at once and the next candidate is elected, so stop the leader's work first. {@link
   * LeaderListener#lost} is called as after any other end. A candidate is elected at most once in
   * 100 ms, so one that resigns whenever it is elected does not keep the store busy.
   */
  void resign();

  /**
   * Stops being a candidate; a leader's term is over at once, as with {@link #resign()}. Does not
   * wait for the store or for callbacks. Closing again does nothing.
   */
  @Override
  void close();
}
