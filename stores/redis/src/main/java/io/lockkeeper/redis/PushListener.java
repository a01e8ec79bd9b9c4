package io.lockkeeper.redis;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.ResourceId;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Receives what the servers push to this client.
 *
 * <p>Seven kinds of message, with the encoded name at the end because it may contain the separator:
 *
 * <pre>
 *   G|grant|run|first token|last token|now|remaining time|others wait|confirmed|name    granted
 *   W|name                                                                              wanted
 *   R|name                                                                              revoked
 *   P|kind|now|claim:token:remaining time:confirmed,...|name                 granted, what is shared
 *   X|kind|name                                                              revoked, what is shared
 *   C|kind|name                                                                         cell changed
 *   T                                                                            nothing: a trial
 * </pre>
 */
final class PushListener extends RedisPubSubAdapter<byte[], byte[]> {

  /** Says nothing: a client that sends it to itself finds out whether messages may be sent. */
  static final byte[] TRIAL = {'T'};

  private static final Logger LOG = System.getLogger("io.lockkeeper.redis");
  private static final int GRANT_FIELDS = 10;
  private static final int SHARE_FIELDS = 5;
  private static final int REVOKED_FIELDS = 3;
  private static final int CHANGE_FIELDS = 3;

  /** Completes when the client hears its channel for the first time. */
  final CompletableFuture<Void> subscribed = new CompletableFuture<>();

  private final boolean on;

  /** How often the client began to hear its channel: once more with each new connection. */
  private final AtomicInteger connections = new AtomicInteger();

  private volatile @Nullable NotificationListener listener;

  /** Creates one that hears its channel, or one that hears nothing. */
  PushListener(boolean on) {
    this.on = on;
  }

  /** Returns whether this client hears anything. */
  boolean areOn() {
    return on;
  }

  int connections() {
    return connections.get();
  }

  void listen(NotificationListener listener) {
    this.listener = listener;
  }

  @Override
  public void subscribed(byte[] channel, long count) {
    connections.incrementAndGet();
    NotificationListener current = listener;
    if (!subscribed.complete(null) && current != null) {
      try {
        current.reconnected();
      } catch (RuntimeException | Error e) {
        LOG.log(Level.WARNING, "cannot handle that the channel is heard again", e);
      }
    }
  }

  @Override
  public void message(byte[] channel, byte[] message) {
    NotificationListener current = listener;
    if (current == null) {
      return;
    }
    String text = new String(message, StandardCharsets.UTF_8);
    try {
      deliver(text, current);
    } catch (RuntimeException | Error e) {
      // Of what is thrown from here the driver would say nothing.
      LOG.log(Level.WARNING, "cannot handle the message " + text, e);
    }
  }

  private static void deliver(String text, NotificationListener listener) {
    switch (text.charAt(0)) {
      case 'G' -> deliverGrant(text.split("\\|", GRANT_FIELDS), listener);
      case 'W' -> listener.contended(Keyspace.lock(text.substring(2)));
      case 'R' -> listener.revoked(Keyspace.lock(text.substring(2)));
      case 'P' -> deliverShares(text.split("\\|", SHARE_FIELDS), listener);
      case 'X' -> {
        String[] fields = text.split("\\|", REVOKED_FIELDS);
        listener.revoked(Keyspace.id(fields[1], fields[2]));
      }
      case 'C' -> deliverChange(text.split("\\|", CHANGE_FIELDS), listener);
      case 'T' -> {}
      default -> throw new IllegalArgumentException("unknown kind of message");
    }
  }

  private static void deliverShares(String[] fields, NotificationListener listener) {
    ResourceId resource = Keyspace.id(fields[1], fields[4]);
    long storeMicros = Long.parseLong(fields[2]);
    for (String share : fields[3].split(",", -1)) {
      String[] parts = share.split(":", -1);
      Grant grant =
          ReplyDecoder.share(
              Long.parseLong(parts[0]),
              Long.parseLong(parts[1]),
              storeMicros,
              Long.parseLong(parts[2]),
              parts[3].equals("1"));
      listener.granted(resource, grant);
    }
  }

  private static void deliverChange(String[] fields, NotificationListener listener) {
    listener.cellChanged(new CellId(CellKind.of(fields[1]), Keyspace.decode(fields[2])));
  }

  private static void deliverGrant(String[] fields, NotificationListener listener) {
    Grant grant =
        new Grant(
            Long.parseLong(fields[1]),
            ReplyDecoder.claims(fields[2]),
            Long.parseLong(fields[3]),
            Long.parseLong(fields[4]),
            Long.parseLong(fields[5]),
            Long.parseLong(fields[6]),
            fields[7].equals("1"),
            fields[8].equals("1"));
    listener.granted(Keyspace.lock(fields[9]), grant);
  }
}
