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
 * <p>Five kinds of message, with the encoded name at the end because it may contain the separator;
 * a lock's kind is empty:
 *
 * <pre>
 *   G|kind|now|grant;...|name    granted, each
 *                                grant:first token:tokens:remaining time:others wait:confirmed:claims,
 *                                without claims if it has only the one of its number
 *   W|kind|name                  wanted
 *   R|kind|name                  revoked
 *   C|kind|name                  cell changed
 *   T                            nothing: a trial
 * </pre>
 */
final class PushListener extends RedisPubSubAdapter<byte[], byte[]> {

  /** Says nothing: a client that sends it to itself finds out whether messages may be sent. */
  static final byte[] TRIAL = {'T'};

  private static final Logger LOG = System.getLogger("io.lockkeeper.redis");
  private static final int GRANT_FIELDS = 5;
  private static final int FIELDS = 3;

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
    String[] fields = text.split("\\|", text.startsWith("G") ? GRANT_FIELDS : FIELDS);
    switch (fields[0]) {
      case "G" -> deliverGrants(fields, listener);
      case "W" -> listener.contended(Keyspace.id(fields[1], fields[2]));
      case "R" -> listener.revoked(Keyspace.id(fields[1], fields[2]));
      case "C" ->
          listener.cellChanged(new CellId(CellKind.of(fields[1]), Keyspace.decode(fields[2])));
      case "T" -> {}
      default -> throw new IllegalArgumentException("unknown kind of message");
    }
  }

  private static void deliverGrants(String[] fields, NotificationListener listener) {
    ResourceId resource = Keyspace.id(fields[1], fields[4]);
    long storeMicros = Long.parseLong(fields[2]);
    for (String grant : fields[3].split(";", -1)) {
      String[] parts = grant.split(":", -1);
      long firstToken = Long.parseLong(parts[1]);
      listener.granted(
          resource,
          new Grant(
              Long.parseLong(parts[0]),
              ReplyDecoder.claims(parts[6].isEmpty() ? parts[0] : parts[6]),
              firstToken,
              firstToken + Long.parseLong(parts[2]) - 1,
              storeMicros,
              Long.parseLong(parts[3]),
              parts[4].equals("1"),
              parts[5].equals("1")));
    }
  }
}
