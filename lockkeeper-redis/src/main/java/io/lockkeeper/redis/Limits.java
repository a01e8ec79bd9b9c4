package io.lockkeeper.redis;

import io.lockkeeper.spi.Timings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The part of every call besides its own arguments: the time limits of the protocol, and what this
 * client knows of the memory of the server that it is connected to. The head of the script {@code
 * settle} describes both.
 *
 * <p>A call is given this when it is written to a connection, not when it is made: {@link #forget}
 * is called by the driver before there is another connection. So what a call says is always true of
 * the server that it reaches.
 *
 * <p>It measures how long the server has been there by the machine's steady clock and not by the
 * client's: that one may run ahead where it has to guess how long the machine was suspended, and
 * then the server would be believed too early.
 */
final class Limits {

  private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

  /** The beginning of an answer that tells about the server. */
  private static final long ABOUT_THE_SERVER = 9;

  private static final String UNKNOWN = "-";

  /** The server's name in a cluster, where nobody asks for it and records are in no index. */
  private static final String CLUSTER = "*";

  /** So much longer than the server says it takes until its gaps are over, for the rates. */
  private static final long PERCENT = 100;

  private static final long SAME_CLOCK_MICROS = 5_000_000;

  /** A server, as far as this client has been told about it. */
  private static final class Server {

    private final String name;
    private final long readyNanos;
    private final long longestMillis;
    private final byte[] whenReady;

    Server(String name, long readyNanos, long longestMillis, byte[] whenReady) {
      this.name = name;
      this.readyNanos = readyNanos;
      this.longestMillis = longestMillis;
      this.whenReady = whenReady;
    }
  }

  /** A clock of a server: what it showed when this machine's showed something else. */
  private record ServersClock(long micros, long nanos) {

    long micros(long now) {
      return micros + TimeUnit.NANOSECONDS.toMicros(now - nanos);
    }
  }

  private final String where;
  private final String fixed;
  private final AfterLoss afterLoss;
  private final char letter;
  private final byte[] careless;
  private final AtomicLong longestMillis = new AtomicLong();

  private volatile @Nullable Server server;
  private volatile String mark = UNKNOWN;
  private volatile @Nullable ServersClock clock;

  /** The last warning, so that it is not repeated. Used by the driver's threads only. */
  private volatile String warned = "";

  /**
   * Returns the limits of a client of a cluster.
   *
   * @param where the servers, for messages
   */
  static Limits ofCluster(String where, Timings timings, Replication replication) {
    return new Limits(where, timings, AfterLoss.GRANT, replication, CLUSTER);
  }

  /**
   * Creates the limits of a client that knows nothing yet.
   *
   * @param where the servers, for messages
   */
  Limits(String where, Timings timings, AfterLoss afterLoss, Replication replication) {
    this(where, timings, afterLoss, replication, UNKNOWN);
  }

  private Limits(
      String where, Timings timings, AfterLoss afterLoss, Replication replication, String server) {
    this.where = where;
    this.fixed =
        " "
            + timings.tombstoneMillis()
            + " "
            + timings.heartbeatMillis()
            + " "
            + timings.claimDeadlineMillis()
            + " ";
    this.afterLoss = afterLoss;
    this.letter = replication.isNeeded() ? 'c' : 'n';
    this.careless = text('g', 0, server, UNKNOWN, 0);
  }

  /** Notes that a call asks for a lease of this length. */
  void asksFor(long leaseMillis) {
    if (leaseMillis > longestMillis.get()) {
      longestMillis.accumulateAndGet(leaseMillis, Math::max);
    }
  }

  /** Returns the limits for a call that is being written to the connection. */
  byte[] current() {
    if (afterLoss == AfterLoss.GRANT) {
      return careless;
    }
    Server known = server;
    long longest = longestMillis.get();
    long now = System.nanoTime();
    if (known == null) {
      ServersClock last = clock;
      return text(letter, longest, UNKNOWN, mark, last == null ? 0 : last.micros(now));
    }
    return now - known.readyNanos >= 0 && longest <= known.longestMillis
        ? known.whenReady
        : text(letter, longest, known.name, mark, 0);
  }

  /** Notes what the server's clock shows now. */
  void saw(long serversMicros) {
    ServersClock last = clock;
    long now = System.nanoTime();
    if (last == null || last.micros(now) - serversMicros < SAME_CLOCK_MICROS) {
      clock = new ServersClock(serversMicros, now);
    }
  }

  /** Reads what an answer says about the server that gave it, if it does. */
  void learn(Reply reply) {
    if (!reply.nextIs(ABOUT_THE_SERVER)) {
      return;
    }
    String name = reply.nextText();
    String id = reply.nextText();
    long unsafeMicros = reply.nextNumber();
    long aheadMicros = reply.nextNumber();
    long longest = reply.nextNumber();
    saw(reply.nextNumber());
    long waitMicros = Math.max(unsafeMicros, aheadMicros);
    waitMicros += waitMicros / PERCENT;
    mark = id;
    asksFor(longest); // others rely on leases that are so long
    server =
        new Server(
            name,
            System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(waitMicros),
            longest,
            text('o', longest, name, id, 0));
    warn(name + id, unsafeMicros);
  }

  private void warn(String subject, long unsafeMicros) {
    if (unsafeMicros > 0 && !warned.equals(subject)) {
      warned = subject;
      LOG.log(
          Level.WARNING,
          "{0} was started, took over or lost its memory a short while ago: for {1} ms it grants"
              + " nothing that others may still hold without its knowing. afterLoss=grant in the"
              + " URL leaves that out.",
          where,
          TimeUnit.MICROSECONDS.toMillis(unsafeMicros));
    }
  }

  /** Forgets which server this is: the connection is gone. */
  void forget() {
    server = null;
  }

  private byte[] text(
      char how, long graceMillis, String name, String markId, long serversClockMicros) {
    return (how + " " + name + " " + markId + fixed + graceMillis + " " + serversClockMicros)
        .getBytes(StandardCharsets.UTF_8);
  }
}
