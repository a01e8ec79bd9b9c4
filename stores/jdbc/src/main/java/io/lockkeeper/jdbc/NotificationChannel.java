package io.lockkeeper.jdbc;

import io.lockkeeper.spi.NotificationListener;
import java.sql.SQLException;
import java.util.List;

/** The way of notifications from the transaction of one client to another client. */
interface NotificationChannel extends AutoCloseable {

  /** The way where there is none: waiting clients look again and again. */
  NotificationChannel NONE =
      new NotificationChannel() {
        @Override
        public boolean areOn() {
          return false;
        }

        @Override
        public void listen(NotificationListener listener) {}

        @Override
        public void send(SqlSession session, List<Notification> notifications) {}

        @Override
        public void close() {}
      };

  /** Returns whether notifications come to other clients. */
  boolean areOn();

  /** Returns whether this client hears those that are for it. */
  default boolean areHeard() {
    return areOn();
  }

  /** Sets what asks the database, for a way that needs it. Called once, before listening. */
  default void use(Transactions transactions) {}

  /** Says that this client does something, so that notifications for it may come. */
  default void mayCome() {}

  /** Says that this client waits for the change of a cell. Said again while it does. */
  default void watches() {}

  /**
   * Says that a claim of this client has begun to wait.
   *
   * @param resource the number of its resource's row
   * @param arrival its place in the order of arrival
   * @param before how many claims wait before it
   * @param isInOrder whether claims on its resource are granted in turn
   */
  default void waits(long resource, long arrival, int before, boolean isInOrder) {}

  /** Says that a grant was found by asking: its notification is late, or lost. */
  default void foundLate() {}

  /** Begins to hear what is for this client. Called once. */
  void listen(NotificationListener listener);

  /**
   * Sends notifications to other clients, in the transaction that is about to be committed and only
   * if it is.
   */
  void send(SqlSession session, List<Notification> notifications) throws SQLException;

  @Override
  void close();
}
