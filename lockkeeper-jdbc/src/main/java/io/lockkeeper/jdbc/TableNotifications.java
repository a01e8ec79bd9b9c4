package io.lockkeeper.jdbc;

import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Notifications through a table, for databases that cannot tell anybody anything: a letter is
 * written in the transaction that it is about, and each client asks for its own again and again,
 * once for all of its threads.
 *
 * <p>While claims wait, {@link Turns} says when to ask, and a poll asks also for the place of one
 * of them.
 */
final class TableNotifications implements Notifications {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  /**
   * The shortest and the longest interval of a client that waits for nothing: it may hold a lock
   * that it passes on among its threads, and is to hear soon that another client waits.
   */
  private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * The interval of a client that waits for the change of a cell, and how long it counts as one.
   */
  private static final long WATCHING_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long WATCHING_FOR_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Which part of the time since it did something passes between two of its polls. */
  private static final long PART = 16;

  /** Letters of clients that are gone are thrown away when they are this old. */
  private static final long KEEP_MICROS = TimeUnit.MINUTES.toMicros(2);

  /** How many letters are read again at most before they are thrown away, and for how long. */
  private static final int MOST_READ = 8;

  private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long SWEEP_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long FAREWELL_MILLIS = 1_000;

  private static final String LETTERS =
      "select id, content, 0, 0 from lockkeeper_hint where client = ?";

  /** Also counts the claims before a claim, no farther than matters. */
  private static final String LETTERS_AND_PLACE =
      LETTERS
          + " union all select count(*), null, max(arrival), min(arrival) from"
          + " (select arrival from lockkeeper_claim where resource_id = ? and granted = 0"
          + " and arrival >= ? and arrival <= ? order by arrival desc limit "
          + (Turns.FARTHEST + 1)
          + ") nearest";

  private static final String ABOUT = "\uffff mail";

  private final String client;
  private final NotificationReader reader;
  private final TimeSource time;
  private final String send;
  private final String sweep;
  private volatile boolean closed;
  private volatile @Nullable Thread thread;
  private volatile long activeNanos;
  private volatile long watchedNanos;
  private final Turns turns = new Turns();

  /** The letters that were told when it last looked; of the looking thread. */
  private Set<Long> told = Set.of();

  private long thrownAwayNanos;

  /** Asks for a step. */
  private @Nullable Function<Step<List<Letter>>, CompletableFuture<Outcome<List<Letter>>>> asker;

  TableNotifications(Dialect dialect, String client, TimeSource time) {
    this.client = client;
    this.reader = new NotificationReader(client);
    this.time = time;
    this.activeNanos = time.nanos();
    this.watchedNanos = activeNanos - WATCHING_FOR_NANOS;
    this.thrownAwayNanos = activeNanos - READ_NANOS;
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
  public void mayCome() {
    long now = time.nanos();
    boolean wasQuiet = now - activeNanos > 2 * PART * BUSY_NANOS;
    activeNanos = now;
    if (wasQuiet) {
      wake();
    }
  }

  @Override
  public void watches() {
    long now = time.nanos();
    boolean isNew = now - watchedNanos >= WATCHING_FOR_NANOS;
    watchedNanos = now;
    if (isNew) {
      wake();
    }
  }

  @Override
  public void waits(long resource, long arrival, int before, boolean isInOrder) {
    turns.begin(new Turns.Key(resource, arrival), before, isInOrder, time.nanos());
    wake();
  }

  private void wake() {
    Thread polling = thread;
    if (polling != null) {
      LockSupport.unpark(polling);
    }
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
      awaitNext();
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

  /** Tells at once, and has the letters thrown away afterwards, several by one transaction. */
  private void deliver(NotificationListener listener, List<Letter> letters) {
    for (Letter letter : letters) {
      if (!told.contains(letter.id())) {
        reader.deliver(listener, letter.content());
      }
    }
    told = letters.stream().map(Letter::id).collect(Collectors.toSet());
    var ask = asker;
    long now = time.nanos();
    boolean isTime = letters.size() >= MOST_READ || now - thrownAwayNanos >= READ_NANOS;
    if (ask != null && !letters.isEmpty() && isTime) {
      thrownAwayNanos = now;
      var unused = ask.apply(session -> throwAway(session, letters));
    }
  }

  /** Waits until it is time for a poll, which a claim that begins to wait may bring forward. */
  private void awaitNext() {
    long begin = time.nanos();
    for (long now = begin; !closed; now = time.nanos()) {
      long left = turns.nanosToNext(now);
      if (left == Long.MAX_VALUE) { // no claim waits
        left = quietIntervalNanos(now) - (now - begin);
      }
      if (left <= 0) {
        return;
      }
      LockSupport.parkNanos(left);
    }
  }

  private long quietIntervalNanos(long now) {
    return now - watchedNanos < WATCHING_FOR_NANOS
        ? WATCHING_NANOS
        : Math.max(BUSY_NANOS, Math.min(IDLE_NANOS, (now - activeNanos) / PART));
  }

  private List<Letter> fetch(boolean sweeps) {
    var ask = asker;
    if (ask == null) {
      return List.of();
    }
    try {
      Fetch fetch = new Fetch(sweeps, turns.poll(time.nanos()));
      return ask.apply(fetch).get() instanceof Outcome.Answered<List<Letter>> answered
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

  /** Reads this client's letters, mostly none, and the place of a claim that waits. */
  private final class Fetch implements Step<List<Letter>> {

    private final boolean sweeps;
    private final Turns.@Nullable Poll waiting;

    Fetch(boolean sweeps, Turns.@Nullable Poll waiting) {
      this.sweeps = sweeps;
      this.waiting = waiting;
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
      if (waiting == null) {
        return session.allAmongSent(LETTERS + " order by id", Fetch::letter, client);
      }
      List<Letter> letters = new ArrayList<>();
      session.allAmongSent(
          LETTERS_AND_PLACE,
          row -> row.getString(2) == null ? place(waiting, row) : letters.add(letter(row)),
          client,
          waiting.claim().resource(),
          waiting.from(),
          waiting.claim().arrival());
      letters.sort(Comparator.comparingLong(Letter::id));
      return letters;
    }

    private static Letter letter(ResultSet row) throws SQLException {
      return new Letter(row.getLong(1), row.getString(2));
    }

    private boolean place(Turns.Poll asked, ResultSet row) throws SQLException {
      long now = time.nanos();
      boolean waits = row.getLong(3) == asked.claim().arrival(); // 0 if there is none
      if (waits) {
        turns.waits(asked.claim(), row.getInt(1) - 1, row.getLong(4), now);
      } else {
        turns.over(asked.claim(), now);
      }
      return waits;
    }
  }
}
