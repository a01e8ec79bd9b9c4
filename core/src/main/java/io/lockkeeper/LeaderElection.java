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

  /**
   * The work of a leader.
   *
   * @param <E> what it may throw
   */
  @FunctionalInterface
  interface Work<E extends Exception> {

    /** Does it, and ends soon after it is interrupted. */
    void run(Term term) throws E, InterruptedException;
  }

  /**
   * Becomes a candidate, waits until it is elected, does some work in the current thread while it
   * leads, and {@linkplain #close closes} this election. If the term ends meanwhile, because it was
   * lost, resigned or closed, the thread is interrupted, once, and not after the work has ended.
   *
   * @param body the work; its writes are guarded by {@link Term#token()} if they must be
   * @param <E> what the work may throw
   * @throws E what the work throws
   * @throws InterruptedException if interrupted while waiting, or if the work throws it
   * @throws LeaseLostException if the term had ended when the work ended without an exception
   * @throws IllegalStateException if this was started or closed before
   * @throws LockkeeperClosedException if the client or this election is closed before it is elected
   */
  <E extends Exception> void runWhileLeader(Work<E> body) throws E, InterruptedException;

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
