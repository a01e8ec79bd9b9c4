package io.lockkeeper;

/** What a listener is ended with. */
public interface Registration extends AutoCloseable {

  /**
   * Ends it. When this has returned no call of the listener begins. It waits for a call that is
   * under way to end, for two seconds at most, unless the listener itself closes it. Closing again
   * does nothing.
   */
  @Override
  void close();
}
