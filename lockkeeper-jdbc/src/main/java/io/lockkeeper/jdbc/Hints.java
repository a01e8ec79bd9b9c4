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

  /** Sets what asks the database, for a way that needs it. Called once, before listening. */
  default void use(Transactions transactions) {}

  /**
   * Says that this client does something, so that hints for it may come.
   *
   * @param soon whether a claim has just begun to wait
   */
  default void mayCome(boolean soon) {}

  /** Says that a claim of this client still waits. */
  default void stillWaits() {}

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
