package io.lockkeeper.lab.load;

import io.lockkeeper.DistributedSemaphore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A client of some product that a load uses; for any thread. */
public interface Subject extends AutoCloseable {

  /**
   * Something that is held. Used by the thread that acquired it only.
   *
   * @param tokens returns the fencing token; 0 if the product has none
   * @param left returns for how long it stays valid if nothing renews it, by what the client knows
   *     now; 0 or less if it is not valid. A product that says only whether it is valid answers 1.
   * @param releasing gives it back; returns false if it was lost before
   * @param strangers returns another client that is to use it now by its id, if it is the turn of
   *     one
   */
  record Holding(
      LongSupplier tokens,
      LongSupplier left,
      BooleanSupplier releasing,
      Supplier<Optional<Stranger>> strangers) {

    /** Creates one of a product without tokens. */
    public Holding(LongSupplier left, BooleanSupplier releasing) {
      this(() -> 0, left, releasing, Optional::empty);
    }

    public long token() {
      return tokens.getAsLong();
    }

    /** Returns for how long it stays valid. */
    public long remainingNanos() {
      return left.getAsLong();
    }

    /** Gives it back; returns false if it was lost before. */
    public boolean release() {
      return releasing.getAsBoolean();
    }
  }

  /**
   * Another client than the holder's, which has the id of what is held. To be closed.
   *
   * @param isFixed whether the holder's client does not renew it
   * @param closing ends the client, if nothing else uses it
   */
  record Stranger(DistributedSemaphore semaphore, String id, boolean isFixed, Runnable closing)
      implements AutoCloseable {

    boolean renew(Duration lease) {
      return semaphore.renew(id, lease);
    }

    boolean release() {
      return semaphore.release(id);
    }

    @Override
    public void close() {
      closing.run();
    }
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

  /** An operation was refused and has changed nothing. */
  final class CellRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CellRefusedException(Throwable cause) {
      super(cause);
    }
  }
}
