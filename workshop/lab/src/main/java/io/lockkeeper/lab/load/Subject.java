package io.lockkeeper.lab.load;

import java.time.Duration;
import java.util.Optional;

/** A client of some product that a load uses; for any thread. */
public interface Subject extends AutoCloseable {

  /** Something that is held. Used by the thread that acquired it only. */
  interface Holding {

    /** Returns the fencing token; 0 if the product has none. */
    long token();

    /**
     * Returns for how long it stays valid if nothing renews it, by what the client knows now; 0 or
     * less if it is not valid. A product that says only whether it is valid answers 1.
     */
    long remainingNanos();

    /**
     * Gives it back.
     *
     * @return false if it was lost before
     */
    boolean release();

    /** Returns another client that is to use it now by its id, if it is the turn of one. */
    default Optional<Stranger> stranger() {
      return Optional.empty();
    }
  }

  /** Another client than the holder's, which has the id of what is held. To be closed. */
  interface Stranger extends AutoCloseable {

    /** Returns whether the holder's client does not renew it. */
    boolean isFixed();

    /**
     * Renews it.
     *
     * @return false if it was no longer held
     */
    boolean renew(Duration lease);

    /**
     * Releases it.
     *
     * @return false if it was no longer held
     */
    boolean release();

    @Override
    void close();
  }

  /**
   * Acquires a resource.
   *
   * @param resource its id, see {@link io.lockkeeper.lab.history.ResourceType}
   * @param mode {@code write}, {@code read}, or anything for what has no modes
   * @param permits how many, of a semaphore
   * @param limit the most permits of a semaphore
   * @param wait for how long to wait
   * @return empty if it could not be had in time
   * @throws RuntimeException if it failed; then nothing is held
   */
  Optional<Holding> acquire(String resource, String mode, int permits, int limit, Duration wait)
      throws InterruptedException;

  /**
   * Carries out an operation on a counter or latch, and returns its result.
   *
   * @param operation {@code get}, {@code add}, {@code set} or {@code raise} on a counter; {@code
   *     set} (1 if it was this call), {@code down} (1 if it was set), {@code get} (-1 if it is not
   *     set) or {@code await} (0 if it did not open in time) on a latch
   * @throws CellRefusedException if it was refused and changed nothing
   * @throws UnsupportedOperationException if this product has none
   * @throws RuntimeException if it is not known whether it was carried out
   */
  default long operate(String resource, String operation, long argument)
      throws InterruptedException {
    throw new UnsupportedOperationException("no counters and latches");
  }

  /**
   * Changes how many permits a semaphore has, for good.
   *
   * @throws UnsupportedOperationException if this product cannot do that
   * @throws RuntimeException if it is not known whether it was carried out
   */
  default void resize(String resource, int permits) {
    throw new UnsupportedOperationException("permits cannot be changed");
  }

  @Override
  void close();
}
