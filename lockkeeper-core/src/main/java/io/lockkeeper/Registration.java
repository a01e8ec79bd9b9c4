package io.lockkeeper;

/** What a listener is ended with. */
public interface Registration extends AutoCloseable {

  /**
   * Ends it: after this no call of the listener begins; one may still be under way. Closing again
   * does nothing.
   */
  @Override
  void close();
}
