package io.lockkeeper;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Observes acquisitions and holds while they happen, on the threads that they happen on: the way to
 * traces, timers and contexts that belong to a thread. A {@link LockListener} is notified of what
 * happens elsewhere, and later.
 *
 * <p>An attempt begins when somebody asks for a lock, a side of a read-write lock, permits or a
 * term of office that they do not hold, or enters a lock again that they hold. What is refused
 * before anything is asked, such as a bad argument or a thread that is interrupted on entry, is no
 * attempt. A multi-lock and a lock over a quorum are observed as the locks that they are made of,
 * each by the observers of its own client. Barriers are not observed: nobody holds them.
 *
 * <table>
 * <caption>Which thread calls</caption>
 * <tr><th>method<th>blocking<th>asynchronous
 * <tr><td>{@link #begin}<td>the caller's, before anything is asked<td>the same
 * <tr><td>{@link Attempt#acquired}, {@link Attempt#ended}<td>the caller's, before the call returns or
 * throws<td>the client's executor before the stage completes; of a stage that is cancelled, the
 * thread that cancels it
 * <tr><td>{@link Attempt#released}<td colspan="2">the one that gives back, before that call returns
 * <tr><td>{@link Attempt#lost}<td colspan="2">the client's executor
 * </table>
 *
 * <p>No lock of the client is held during a call. An observer returns quickly, because a lock waits
 * for it, and neither acquires nor releases what it observes. What it throws is logged once and
 * changes nothing. Without observers this costs nothing.
 *
 * <p>Times are the client's, by the clock that its leases run by, which also counts the time for
 * which the machine was suspended: an observer need not read a clock.
 */
@FunctionalInterface
public interface LockObserver {

  /**
   * Called when an attempt begins.
   *
   * @return what is notified of its end and of the hold that it brings; null if nobody does
   */
  @Nullable Attempt begin(Request request);

  /** The way in which something is asked for. */
  enum Mode {
    /** A lock that may be handed off inside the client. */
    LOCK,
    /** A lock in strict order, or an election. */
    FAIR,
    /** The read lock of a read-write lock. */
    READ,
    /** The write lock of a read-write lock. */
    WRITE,
    /** Permits of a semaphore. */
    PERMITS
  }

  /**
   * A request.
   *
   * @param kind the resource's kind
   * @param name the resource's name
   * @param mode what is asked for
   * @param permits how many permits of a semaphore; otherwise 1
   * @param maxWait how long it waits at most; zero if it asks once or enters again, empty if it
   *     waits as long as it takes
   * @param threadBound whether the hold will belong to the calling thread and not to a lease
   */
  record Request(
      ResourceKind kind,
      String name,
      Mode mode,
      int permits,
      Optional<Duration> maxWait,
      boolean threadBound) {

    /** Checks that all is there. */
    public Request {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(mode, "mode");
      Objects.requireNonNull(maxWait, "maxWait");
    }
  }

  /** The way by which a hold came. */
  enum Via {
    /** The store granted it to this request. */
    STORE,
    /** Another holder of this client handed it off. */
    HAND_OFF,
    /** The thread holds it already. */
    REENTRY,
    /** This client had retained it. */
    RETAINED
  }

  /** The reason why an attempt ended without a hold. */
  enum Ending {
    /** The wait was over, or the resource was taken and the request does not wait. */
    TIMEOUT,
    /** The thread was interrupted. */
    INTERRUPTED,
    /** The stage was cancelled. */
    CANCELLED,
    /** The wait was ended to break a deadlock. */
    DEADLOCK,
    /** The store did not answer. */
    UNAVAILABLE,
    /** The store refused. */
    REFUSED,
    /** The client was closed. */
    CLOSED,
    /** Anything else. */
    FAILED
  }

  /**
   * Hears what becomes of one attempt: {@link #acquired} or {@link #ended}, once. After {@code
   * acquired}, unless that was a re-entry, {@link #released} or {@link #lost} follows, once: of a
   * thread's hold with its last unlock.
   */
  interface Attempt {

    /**
     * Called when it was acquired.
     *
     * @param lease the hold, to be looked at
     * @param via how it came
     * @param waitedNanos from the request until its caller, or the client's executor, had it; 0 for
     *     a re-entry
     */
    default void acquired(Lease lease, Via via, long waitedNanos) {}

    /**
     * Called when it ended without a hold.
     *
     * @param why why
     * @param failure what the caller gets for it; null where that is no exception
     * @param waitedNanos from the request to its end
     */
    default void ended(Ending why, @Nullable Throwable failure, long waitedNanos) {}

    /**
     * Called when the hold was given back.
     *
     * @param heldNanos from the end of the wait to the release
     */
    default void released(long heldNanos) {}

    /**
     * Called when the hold was lost.
     *
     * @param loss what was lost, and why
     * @param heldNanos from the end of the wait to the loss
     */
    default void lost(LeaseLost loss, long heldNanos) {}
  }
}
