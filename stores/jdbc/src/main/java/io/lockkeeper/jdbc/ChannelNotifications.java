package io.lockkeeper.jdbc;

import io.lockkeeper.spi.NotificationListener;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notifications by PostgreSQL's {@code NOTIFY}, each on a channel of the client that it is for.
 * They are sent in the transaction that they are about, so nothing is notified that was not
 * committed; and there is nothing to send unless somebody waits or watches.
 *
 * <p>Sending needs no connection more. Listening needs one of its own for good, and can be left
 * out: other clients are still notified by this one. A channel has the client's id in its name, and
 * nothing that came on another channel is read.
 */
final class ChannelNotifications implements NotificationChannel {

  private static final int MOST_AT_ONCE = 100;

  private final @Nullable NotifyListener ears;

  /**
   * Creates the way.
   *
   * @param ears how this client hears, or null if it does not
   */
  ChannelNotifications(@Nullable NotifyListener ears) {
    this.ears = ears;
  }

  /** Returns the channel of a client, whose id is letters and digits. */
  static String channel(String client) {
    return "lockkeeper_" + client;
  }

  @Override
  public boolean areOn() {
    return true;
  }

  @Override
  public boolean areHeard() {
    return ears != null && ears.works();
  }

  @Override
  public void use(Transactions transactions) {
    if (ears != null) {
      ears.use(NotifyListener.asker(transactions));
    }
  }

  @Override
  public void mayCome() {
    if (ears != null) {
      ears.used();
    }
  }

  @Override
  public void foundLate() {
    if (ears != null) {
      ears.foundLate();
    }
  }

  @Override
  public void listen(NotificationListener listener) {
    if (ears != null) {
      ears.start(listener);
    }
  }

  @Override
  public void send(SqlSession session, List<Notification> notifications) throws SQLException {
    for (int from = 0; from < notifications.size(); from += MOST_AT_ONCE) {
      List<Notification> part =
          notifications.subList(from, Math.min(notifications.size(), from + MOST_AT_ONCE));
      List<String> arguments = new ArrayList<>();
      for (Notification notification : part) {
        arguments.add(channel(notification.client()));
        arguments.add(NotificationText.write(notification));
      }
      String calls = String.join(", ", Collections.nCopies(part.size(), "pg_notify(?, ?)"));
      session.atEnd("select " + calls, arguments.toArray());
    }
  }

  @Override
  public void close() {
    if (ears != null) {
      ears.close();
    }
  }
}
