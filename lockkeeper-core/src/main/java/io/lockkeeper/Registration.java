package io.lockkeeper;

/** What a listener is ended with. */
public interface Registration extends AutoCloseable {

  /**
   * Ends it. When this returns no call of the listener is under way, and none begins any more: it
   * waits for one that is under way, unless the listener itself closes it. So a thread must not
   * close it while it holds what the listener needs. Closing again does nothing.
   */
  @Override
  void close();
}
