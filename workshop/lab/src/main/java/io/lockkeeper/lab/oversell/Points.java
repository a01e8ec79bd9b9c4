package io.lockkeeper.lab.oversell;

/**
 * The named points that an order passes. A strategy says so at each; a test of a fault can make one
 * order wait at one of them, so that what could go wrong does go wrong.
 */
public interface Points {

  /** The lock has been acquired. */
  String ENTERED = "entered";

  /** The stock has been read, or locked, and is not yet written, or committed. */
  String READ = "read";

  /** The stock has been written, and the lock is about to be released. */
  String LEAVING = "leaving";

  /** The lock has been seen free and is not yet taken. */
  String FREE = "free";

  /** The lock has been seen to be one's own and is not yet deleted. */
  String COMPARED = "compared";

  /** The lock has been released and the transaction is not yet committed. */
  String COMMIT = "commit";

  /** The first of two rows is locked. */
  String FIRST = "first";

  /** A watch on the lock is set. */
  String WAITS = "waits";

  /** That watch has fired. */
  String WOKEN = "woken";

  /** Something to {@link #asks}: the order makes another one while it holds the lock. */
  String NESTED = "nested";

  /** Something to {@link #asks}: the order locks its rows in the other order. */
  String REVERSED = "reversed";

  /** Something to {@link #asks}: the order is one of the other article. */
  String OTHER = "other";

  /** Something to {@link #asks}: the order loads many keys together. */
  String MANY = "many";

  /** Nobody listens. */
  Points NONE = point -> {};

  /** The order of this thread is at this point; it may be made to wait. */
  void at(String point);

  /** Returns whether the order of this thread is of a special kind. */
  default boolean asks(String kind) {
    return false;
  }
}
