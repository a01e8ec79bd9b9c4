package io.lockkeeper.redis;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.HintListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the servers push to this client.
 *
 * <p>Four kinds of message, with the encoded name at the end because it may contain the separator:
 *
 * <pre>
 *   G|grant|run|first token|last token|now|remaining time|others wait|confirmed|name    granted
 *   W|name                                                                              wanted
 *   R|name                                                                              revoked
 *   C|kind|name                                                                         cell changed
 * </pre>
 */
final class Pushes extends RedisPubSubAdapter<byte[], byte[]> {

  private static final Logger LOG = System.getLogger("io.lockkeeper.redis");
  private static final int GRANT_FIELDS = 10;
  private static final int CHANGE_FIELDS = 3;

  /** Completes when the client hears its channel for the first time. */
  final CompletableFuture<Void> subscribed = new CompletableFuture<>();

  private volatile @Nullable HintListener listener;

  void listen(HintListener listener) {
    this.listener = listener;
  }

  @Override
  public void subscribed(byte[] channel, long count) {
    HintListener current = listener;
    if (!subscribed.complete(null) && current != null) {
      current.reconnected();
    }
  }

  @Override
  public void message(byte[] channel, byte[] message) {
    HintListener current = listener;
    if (current == null) {
      return;
    }
    String text = new String(message, StandardCharsets.UTF_8);
    try {
      deliver(text, current);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "cannot handle the message " + text, e);
    }
  }

  private static void deliver(String text, HintListener listener) {
    switch (text.charAt(0)) {
      case 'G' -> deliverGrant(text.split("\\|", GRANT_FIELDS), listener);
      case 'W' -> listener.wanted(Keyspace.decode(text.substring(2)));
      case 'R' -> listener.revoked(Keyspace.decode(text.substring(2)));
      case 'C' -> deliverChange(text.split("\\|", CHANGE_FIELDS), listener);
      default -> throw new IllegalArgumentException("unknown kind of message");
    }
  }

  private static void deliverChange(String[] fields, HintListener listener) {
    listener.cellChanged(new CellId(CellKind.of(fields[1]), Keyspace.decode(fields[2])));
  }

  private static void deliverGrant(String[] fields, HintListener listener) {
    Grant grant =
        new Grant(
            Long.parseLong(fields[1]),
            Answers.claims(fields[2]),
            Long.parseLong(fields[3]),
            Long.parseLong(fields[4]),
            Long.parseLong(fields[5]),
            Long.parseLong(fields[6]),
            fields[7].equals("1"),
            fields[8].equals("1"));
    listener.granted(Keyspace.decode(fields[9]), grant);
  }
}
