package io.lockkeeper;

/** The registration of a listener; closing it removes the listener. */
public interface Registration extends AutoCloseable {

  /**
   * Removes the listener. After this method has returned, no call of the listener begins. The
   * method waits for a call in progress to end, for two seconds at most, unless the listener itself
   * closes the registration. Closing again does nothing.
   */
  @Override
  void close();
}
