package io.lockkeeper.redis;

import io.lockkeeper.Quarantine;
import io.lockkeeper.spi.Timings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

  private static final long LONGER_NANOS = 1_000_000_000;

  /** The warnings that this process has logged, once for all of its clients. */
  private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

  /** A server, as far as this client has been told about it. */
  private static final class Server {

    private final String name;

    /**
     * Whether nothing is forgotten there that may still be valid. The server has to say so: what it
     * said before of when that would be so may have changed since.
     */
    private final boolean isSafe;

    /** When its clock has reached the tokens of the server before. */
    private final long readyNanos;

    private final long longestMillis;
    private final byte[] whenReady;

    Server(String name, boolean isSafe, long readyNanos, long longestMillis, byte[] whenReady) {
      this.name = name;
      this.isSafe = isSafe;
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
  private final LossRule loss;
  private final char letter;
  private final byte[] careless;
  private final AtomicLong longestMillis = new AtomicLong();

  private volatile @Nullable Server server;
  private volatile String mark = UNKNOWN;
  private volatile @Nullable ServersClock clock;

  /** Until when nothing is granted that may be held without the server's knowing. */
  private volatile long safeNanos = System.nanoTime();

  /**
   * Returns the limits of a client of a cluster.
   *
   * @param where the servers, for messages
   */
  static Limits ofCluster(String where, Timings timings, Replication replication) {
    LossRule rule = LossRule.OF_URLS.with(AfterLoss.GRANT);
    return new Limits(where, timings, rule, replication, CLUSTER);
  }

  /**
   * Creates the limits of a client that knows nothing yet.
   *
   * @param where the servers, for messages
   */
  Limits(String where, Timings timings, LossRule loss, Replication replication) {
    this(where, timings, loss, replication, UNKNOWN);
  }

  private Limits(
      String where, Timings timings, LossRule loss, Replication replication, String server) {
    this.where = where;
    this.fixed =
        " "
            + timings.tombstoneMillis()
            + " "
            + timings.heartbeatMillis()
            + " "
            + timings.claimDeadlineMillis()
            + " ";
    this.loss = loss;
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
    if (loss.grantsAtOnce()) {
      return careless;
    }
    Server known = server;
    if (known == null) {
      return introduction();
    }
    long longest = longestMillis.get();
    long now = System.nanoTime();
    return known.isSafe && now - known.readyNanos >= 0 && longest <= known.longestMillis
        ? known.whenReady
        : text(letter, longest, known.name, mark, 0);
  }

  /** Returns the limits for a server that this client has just been connected to. */
  byte[] introduction() {
    ServersClock last = clock;
    long micros = last == null ? 0 : last.micros(System.nanoTime());
    return text(letter, longestMillis.get(), UNKNOWN, mark, micros);
  }

  long longestMillis() {
    return longestMillis.get();
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
    mark = id;
    asksFor(longest); // others rely on leases that are so long
    Server before = server;
    boolean isSafe = unsafeMicros == 0;
    long now = System.nanoTime();
    long safe = now + nanos(unsafeMicros);
    boolean isLonger = before != null && !before.isSafe && safe - safeNanos > LONGER_NANOS;
    safeNanos = safe;
    server =
        new Server(
            name, isSafe, now + nanos(aheadMicros), longest, text('o', longest, name, id, 0));
    if (!isSafe) {
      log(where + " " + name + " " + id + isLonger);
    }
  }

  /** Returns a time at the server as one that is certainly over there when it is over here. */
  private static long nanos(long micros) {
    return TimeUnit.MICROSECONDS.toNanos(micros + micros / PERCENT);
  }

  /** Returns why nothing is granted at present, if that is so. */
  Optional<Quarantine> quarantine() {
    long left = safeNanos - System.nanoTime();
    return left <= 0
        ? Optional.empty()
        : Optional.of(
            new Quarantine(
                "Redis at "
                    + where
                    + " was started, flushed or failed over, and may have lost its locks",
                Duration.ofNanos(left),
                loss.advice()));
  }

  private void log(String subject) {
    Optional<Quarantine> found = quarantine();
    if (found.isPresent() && LOGGED.add(subject)) {
      LOG.log(Level.WARNING, found.get().message());
    }
  }

  /** Forgets which server this is: the connection is gone. */
  void forget() {
    server = null;
  }

  private byte[] text(
      char how, long graceMillis, String name, String markId, long serversClockMicros) {
    String ends = graceMillis + " " + serversClockMicros + " " + loss.windowMillis();
    return (how + " " + name + " " + markId + fixed + ends).getBytes(StandardCharsets.UTF_8);
  }
}
