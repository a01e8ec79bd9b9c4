package io.lockkeeper.spi.rule;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Share;
import org.jspecify.annotations.Nullable;

/**
 * The rule of who is admitted to a resource with several grants side by side, from what is known of
 * it. It changes nothing, and is given the queue only where that has been read.
 *
 * @param kind the kind of the resource
 * @param limit how many permits there are; for a barrier, how many parties
 * @param out how many permits all grants have together
 */
public record Admission(ResourceKind kind, int limit, long out) {

  /**
   * The waiting claims as the rule asks for them.
   *
   * @param <X> what a store throws that cannot answer
   */
  public interface Waiting<X extends Exception> {

    /** Returns how many live claims wait. */
    int countLive() throws X;

    /** Returns whether a live claim waits that wants no more than so many permits. */
    boolean hasWaiting(int mostPermits) throws X;
  }

  /** The answers to a claim that has just come. */
  public enum Answer {
    /** It is admitted. */
    ADMITTED,
    /** It is admitted, and so is everybody who waits: it completes the group of a barrier. */
    ADMITTED_WITH_GROUP,
    /** It has to wait. */
    WAITS,
    /** The queue has to be read to say so. */
    NEEDS_QUEUE
  }

  /** Returns whether no claim can be admitted. */
  public boolean isFull() {
    return kind != ResourceKind.BARRIER && limit > 0 && out >= limit;
  }

  /** Returns what becomes of a claim that has just come; the queue is null if it was not read. */
  public <X extends Exception> Answer of(Share share, @Nullable Waiting<X> queue) throws X {
    boolean isBarrier = kind == ResourceKind.BARRIER;
    if (!isBarrier && share.permits() > limit - out) {
      return Answer.WAITS;
    } else if (!isBarrier && share.overtakes()) {
      return Answer.ADMITTED;
    } else if (queue == null) {
      return Answer.NEEDS_QUEUE;
    } else if (isBarrier) {
      return queue.countLive() == limit - 1 ? Answer.ADMITTED_WITH_GROUP : Answer.WAITS;
    }
    return queue.hasWaiting(limit) ? Answer.WAITS : Answer.ADMITTED;
  }

  /** Returns the door through which those who wait now go, or null if nobody is admitted. */
  public <X extends Exception> @Nullable Door door(Waiting<X> queue) throws X {
    if (kind == ResourceKind.BARRIER) {
      int waiting = limit > 0 ? queue.countLive() : 0;
      return waiting > 0 && waiting >= limit ? Door.first(waiting - waiting % limit) : null;
    }
    return limit > out ? Door.whilePermitsLast(limit, out) : null;
  }
}
