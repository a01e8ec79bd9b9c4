package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Notifications through a table, for databases that cannot tell anybody anything: a letter is
 * written in the transaction that it is about, and each client asks for its own again and again,
 * once for all of its threads.
 *
 * <p>It asks often right after a claim has begun to wait, and then the more seldom the longer it
 * waits: the time from one poll to the next is a small part of the time waited so far, so what the
 * looking adds to a wait is small too.
 */
final class TableNotifications implements Notifications {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Which part of a wait passes between two polls. */
  private static final long PART = 16;

  /**
   * The interval of a client that has just done something: it may hold a lock that it passes on
   * among its threads, and is to hear soon that another client waits.
   */
  private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long BUSY_FOR_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The interval some time after that. */
  private static final long CALM_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The interval of a client that does nothing. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long after the last sign a claim is believed to wait; the engine polls once a second. */
  private static final long WAITING_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final long ACTIVE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Letters of clients that are gone are thrown away when they are this old. */
  private static final long KEEP_MICROS = TimeUnit.MINUTES.toMicros(2);

  private static final long SWEEP_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long FAREWELL_MILLIS = 1_000;

  private static final String ABOUT = "\uffff mail";

  private final String client;
  private final NotificationReader reader;
  private final TimeSource time;
  private final RandomGenerator random;
  private final String send;
  private final String sweep;
  private volatile boolean closed;
  private volatile @Nullable Thread thread;
  private volatile long waitBeganNanos;
  private volatile long waitSeenNanos;
  private volatile long activeNanos;

  /** The letters that were told when it last looked; of the looking thread. */
  private Set<Long> told = Set.of();

  /** Asks for a step. */
  private @Nullable Function<Step<List<Letter>>, CompletableFuture<Outcome<List<Letter>>>> asker;

  TableNotifications(Dialect dialect, String client, Environment environment) {
    this.client = client;
    this.reader = new NotificationReader(client);
    this.time = environment.time();
    this.random = environment.random();
    this.activeNanos = time.nanos();
    this.waitBeganNanos = activeNanos - WAITING_NANOS;
    this.waitSeenNanos = waitBeganNanos;
    this.send =
        "insert into lockkeeper_hint (client, sent_micros, content) values (?, "
            + dialect.now
            + ", ?)";
    this.sweep =
        "delete from lockkeeper_hint where sent_micros < " + dialect.now + " - " + KEEP_MICROS;
  }

  @Override
  public boolean areOn() {
    return true;
  }

  @Override
  public void send(Session session, List<Notification> notifications) {
    for (Notification notification : notifications) {
      session.later(send, notification.client(), NotificationText.write(notification));
    }
  }

  @Override
  public void mayCome(boolean soon) {
    long now = time.nanos();
    boolean wasCalm = now - activeNanos >= BUSY_FOR_NANOS;
    activeNanos = now;
    if (soon) {
      waitBeganNanos = now;
      waitSeenNanos = now;
    }
    Thread polling = thread;
    if (polling != null && (soon || wasCalm)) {
      LockSupport.unpark(polling);
    }
  }

  @Override
  public void stillWaits() {
    waitSeenNanos = time.nanos();
  }

  @Override
  public void use(Transactions transactions) {
    asker = step -> transactions.ask(ABOUT, step);
  }

  @Override
  public void listen(NotificationListener listener) {
    Thread polling = new Thread(() -> poll(listener), "lockkeeper-jdbc-mail");
    polling.setDaemon(true);
    thread = polling;
    polling.start();
  }

  private void poll(NotificationListener listener) {
    long sweepNanos = time.nanos();
    while (!closed) {
      LockSupport.parkNanos(intervalNanos());
      boolean sweeps = time.nanos() - sweepNanos >= 0;
      if (sweeps) {
        sweepNanos = time.nanos() + SWEEP_NANOS;
      }
      try {
        deliver(listener, closed ? List.of() : fetch(sweeps));
      } catch (Throwable failure) { // an error too: without this thread the client is deaf
        LOG.log(
            Level.WARNING, "notifications could not be fetched; they are the next time", failure);
      }
    }
  }

  /** Tells at once, and has the letters thrown away afterwards. */
  private void deliver(NotificationListener listener, List<Letter> letters) {
    for (Letter letter : letters) {
      if (!told.contains(letter.id())) {
        reader.deliver(listener, letter.content());
      }
    }
    told = letters.stream().map(Letter::id).collect(Collectors.toSet());
    var ask = asker;
    if (ask != null && !letters.isEmpty()) {
      var unused = ask.apply(session -> throwAway(session, letters));
    }
  }

  private long intervalNanos() {
    long now = time.nanos();
    if (now - waitSeenNanos >= WAITING_NANOS) {
      long quietNanos = now - activeNanos;
      return quietNanos < BUSY_FOR_NANOS
          ? BUSY_NANOS
          : quietNanos < ACTIVE_NANOS ? CALM_NANOS : IDLE_NANOS;
    }
    long interval =
        Math.max(SHORTEST_NANOS, Math.min(LONGEST_NANOS, (now - waitBeganNanos) / PART));
    return interval * 3 / 4 + random.nextLong(interval / 2);
  }

  private List<Letter> fetch(boolean sweeps) {
    var ask = asker;
    if (ask == null) {
      return List.of();
    }
    try {
      return ask.apply(new Fetch(sweeps)).get() instanceof Outcome.Answered<List<Letter>> answered
          ? answered.answer()
          : List.of(); // the letters stay where they are
    } catch (InterruptedException | ExecutionException e) {
      return List.of();
    }
  }

  /** One by one: a letter with a smaller number may appear after one with a larger. */
  private static List<Letter> throwAway(Session session, List<Letter> letters) {
    letters.forEach(
        letter -> session.later("delete from lockkeeper_hint where id = ?", letter.id()));
    return letters;
  }

  @Override
  public void close() {
    closed = true;
    Thread polling = thread;
    if (polling != null && polling != Thread.currentThread()) {
      LockSupport.unpark(polling);
      try {
        polling.join(FAREWELL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private record Letter(long id, String content) {}

  /** Reads this client's letters. Mostly there are none. */
  private final class Fetch implements Step<List<Letter>> {

    private final boolean sweeps;

    Fetch(boolean sweeps) {
      this.sweeps = sweeps;
    }

    @Override
    public @Nullable List<Letter> alone(Session session) throws SQLException {
      return sweeps ? null : letters(session);
    }

    @Override
    public List<Letter> run(Session session) throws SQLException {
      if (sweeps) {
        session.update(sweep);
      }
      return letters(session);
    }

    private List<Letter> letters(Session session) throws SQLException {
      return session.allAmongSent(
          "select id, content from lockkeeper_hint where client = ? order by id",
          row -> new Letter(row.getLong(1), row.getString(2)),
          client);
    }
  }
}
