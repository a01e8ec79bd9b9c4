package io.lockkeeper.jdbc;

import io.lockkeeper.spi.HintListener;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hints by PostgreSQL's {@code NOTIFY}, each on a channel of the client that it is for. They are
 * sent in the transaction that they are about, so nobody hears of what was not committed; and there
 * is nothing to send unless somebody waits or watches.
 *
 * <p>Sending needs no connection more. Hearing needs one of its own for good, and can be left out:
 * other clients still hear of this one.
 */
final class NotifyHints implements Hints {

  private static final int MOST_AT_ONCE = 100;

  private final @Nullable NotifyListener ears;

  /**
   * Creates the way.
   *
   * @param ears how this client hears, or null if it does not
   */
  NotifyHints(@Nullable NotifyListener ears) {
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
    return ears != null;
  }

  @Override
  public void listen(HintListener listener) {
    if (ears != null) {
      ears.start(listener);
    }
  }

  @Override
  public void send(Session session, List<Hint> hints) throws SQLException {
    for (int from = 0; from < hints.size(); from += MOST_AT_ONCE) {
      List<Hint> part = hints.subList(from, Math.min(hints.size(), from + MOST_AT_ONCE));
      List<String> arguments = new ArrayList<>();
      for (Hint hint : part) {
        arguments.add(channel(hint.client()));
        arguments.add(HintText.write(hint));
      }
      String calls = String.join(", ", Collections.nCopies(part.size(), "pg_notify(?, ?)"));
      session.flushWith("select " + calls, arguments.toArray());
    }
  }

  @Override
  public void close() {
    if (ears != null) {
      ears.close();
    }
  }
}
