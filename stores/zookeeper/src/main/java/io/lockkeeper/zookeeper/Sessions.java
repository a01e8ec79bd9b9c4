package io.lockkeeper.zookeeper;

import org.jspecify.annotations.Nullable;

/** The sessions of one client: when one has ended the next begins. */
interface Sessions extends AutoCloseable {

  /** Hears about them. Called on any thread; returns quickly. */
  interface Listener {

    /** A session is about to begin, in place of the one before. */
    void begins();

    /** There is a connection: the first, or one again, in the same session or in a new one. */
    void connected();

    /** The session has ended. */
    void lost();
  }

  /** Returns the present session; null before the first. */
  @Nullable Session current();

  /** Ends the session and frees the threads. */
  @Override
  void close();
}
