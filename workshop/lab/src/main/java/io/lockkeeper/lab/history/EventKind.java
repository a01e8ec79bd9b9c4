package io.lockkeeper.lab.history;

/** What an event tells. */
public enum EventKind {
  /** A resource has this limit ({@link Event#value()}): permits, or parties. */
  LIMIT,
  /** A change of a limit to {@link Event#value()} begins. */
  RESIZE,
  /** It is done; without this it may happen at any later time. */
  RESIZED,
  /** A request begins, for {@link Event#value()} permits; the note is the mode. */
  ASK,
  /** It was granted: with this token, valid until then at the least. */
  GOT,
  /** The store counted the request as this arrival ({@link Event#value()}); joined by the token. */
  ARRIVAL,
  /** The holder looked: the lease was valid at this time, until then at the least. */
  VALID,
  /** Another client begins to renew it by its id: it may be held until then. */
  RENEW,
  /** It was renewed: it is held until then at the least, unless it is released before. */
  RENEWED,
  /** The holder looked: the lease was not valid any more. */
  INVALID,
  /** A guarded register took a write with this token; the value is its place in the order. */
  WROTE,
  /** A guarded register refused a write with this token. */
  WRITE_REFUSED,
  /**
   * A release begins, by the holder or by another client; until then the lease would have been
   * valid.
   */
  RELEASE,
  /** The release said: released. */
  RELEASED,
  /** The release said: lost before. */
  LOST,
  /** A request ended without a grant; the note says why. */
  FAILED,
  /** An operation on a counter or latch begins: the note is its name, the value its argument. */
  CALL,
  /** It returned this value. */
  RETURN,
  /** It ended without saying whether it was carried out. */
  UNKNOWN,
  /** It was refused and changed nothing. */
  REFUSED,
  /** Something was broken on purpose; the note says what. */
  FAULT,
  /** The store forgot what it knew, at some time from here on. That ends no lease. */
  MEMORY_LOST,
  /**
   * From here on the store may have forgotten what it had said last, and nothing is promised here
   * about that.
   */
  MAY_FORGET,
  /** The same of the values of counters and latches; of leases and tokens all is promised. */
  MAY_FORGET_VALUES,
  /** What was broken works again. */
  HEALED,
  /** A process ended without closing; the actor is the process. */
  DIED,
  /** The history ends here; all processes that have not died are there still. */
  END
}
