package io.lockkeeper.lab.torture;

/** A worker, as the nemesis sees it. */
interface Worker extends AutoCloseable {

  /** Returns what it is called in the history. */
  String name();

  /** Returns whether it is connected to the store. */
  boolean hasBegun();

  /** Returns how often it has got what it wanted. */
  long acquisitions();

  /** Kills it. */
  void kill();

  /** Stops it without ending it. */
  void freeze();

  /** Lets it go on. */
  void thaw();

  /** Tells it to end in good order. */
  void stop();

  /**
   * Waits for its end.
   *
   * @return empty if it ended in good order, else what went wrong
   */
  String awaitEnd() throws InterruptedException;

  @Override
  void close();
}
