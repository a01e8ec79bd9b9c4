package io.lockkeeper.jdbc;

import io.lockkeeper.spi.HintListener;
import java.sql.SQLException;
import java.util.List;

/** The way of hints from the transaction of one client to another client. */
interface Hints extends AutoCloseable {

  /** The way where there is none: waiting clients look again and again. */
  Hints NONE =
      new Hints() {
        @Override
        public boolean areOn() {
          return false;
        }

        @Override
        public void listen(HintListener listener) {}

        @Override
        public void send(Session session, List<Hint> hints) {}

        @Override
        public void close() {}
      };

  /** Returns whether hints come to other clients. */
  boolean areOn();

  /** Returns whether this client hears those that are for it. */
  default boolean areHeard() {
    return areOn();
  }

  /** Begins to hear what is for this client. Called once. */
  void listen(HintListener listener);

  /**
   * Sends hints to other clients, in the transaction that is about to be committed and only if it
   * is.
   */
  void send(Session session, List<Hint> hints) throws SQLException;

  @Override
  void close();
}
