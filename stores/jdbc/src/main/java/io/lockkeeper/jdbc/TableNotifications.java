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
 * Notifications through a table, for databases that cannot send any: a notification is written in
 * the transaction that it is about, and each client polls for its own, once for all of its threads.
 *
 * <p>While claims wait, {@link Turns} says when to ask, and a poll asks also for the place of one
 * of them.
 */
final class TableNotifications implements NotificationChannel {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  /** Notifications to clients that are gone are deleted when they are this old. */
  private static final long KEEP_MICROS = TimeUnit.MINUTES.toMicros(2);

  /** How many notifications are read again at most before they are deleted, and for how long. */
  private static final int MOST_READ = 8;

  private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long SWEEP_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long FAREWELL_MILLIS = 1_000;

  private static final String SENT =
      "select id, content, 0, 0 from lockkeeper_hint where client = ?";

  /** Also counts the claims before a claim, no farther than matters. */
  private static final String SENT_AND_PLACE =
      SENT
          + " union all select count(*), null, max(arrival), min(arrival) from"
          + " (select arrival from lockkeeper_claim where resource_id = ? and granted = 0"
          + " and arrival >= ? and arrival <= ? order by arrival desc limit "
          + (Turns.FARTHEST + 1)
          + ") nearest";

  private static final String ABOUT = "\uffff notifications";

  private final String client;
  private final NotificationReader reader;
  private final TimeSource time;
  private final String send;
  private final String sweep;
  private volatile boolean closed;
  private volatile @Nullable Thread thread;
  private final QuietInterval quiet;
  private final Turns turns = new Turns();

  /** The ids that the last answered poll delivered or found delivered. Of the polling thread. */
  private Set<Long> delivered = Set.of();

  /** When it last deleted what was delivered. Of the polling thread. */
  private long deletedNanos;

  /** Executes a step. */
  private @Nullable Function<Step<List<Sent>>, CompletableFuture<Outcome<List<Sent>>>> asker;

  TableNotifications(Dialect dialect, String client, TimeSource time) {
    this.client = client;
    this.reader = new NotificationReader(client);
    this.time = time;
    this.quiet = new QuietInterval(time.nanos());
    this.deletedNanos = time.nanos() - READ_NANOS;
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
  public void send(SqlSession session, List<Notification> notifications) {
    for (Notification notification : notifications) {
      session.later(send, notification.client(), NotificationText.write(notification));
    }
  }

  @Override
  public void mayCome() {
    if (quiet.used(time.nanos())) {
      wake();
    }
  }

  @Override
  public void watches() {
    if (quiet.watches(time.nanos())) {
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
    use(step -> transactions.ask(ABOUT, step));
  }

  void use(Function<Step<List<Sent>>, CompletableFuture<Outcome<List<Sent>>>> executor) {
    asker = executor;
  }

  @Override
  public void listen(NotificationListener listener) {
    Thread polling = new Thread(() -> poll(listener), "lockkeeper-jdbc-polls");
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
        List<Sent> sent = closed ? null : fetch(sweeps);
        if (sent != null) {
          deliver(listener, sent);
          deleteInTime(sent);
        }
      } catch (Throwable failure) { // an error too: without this thread the client is deaf
        LOG.log(
            Level.WARNING, "notifications could not be fetched; they are the next time", failure);
      }
    }
  }

  private void deliver(NotificationListener listener, List<Sent> all) {
    for (Sent sent : all) {
      if (!delivered.contains(sent.id())) {
        reader.deliver(listener, sent.content());
      }
    }
    delivered = all.stream().map(Sent::id).collect(Collectors.toSet());
  }

  /** Deletes what was delivered, several by one transaction. */
  private void deleteInTime(List<Sent> all) {
    var ask = asker;
    long now = time.nanos();
    boolean isTime = all.size() >= MOST_READ || now - deletedNanos >= READ_NANOS;
    if (ask != null && !all.isEmpty() && isTime) {
      deletedNanos = now;
      var unused = ask.apply(session -> delete(session, all));
    }
  }

  /** Waits until it is time for a poll, which a claim that begins to wait may bring forward. */
  private void awaitNext() {
    long begin = time.nanos();
    for (long now = begin; !closed; now = time.nanos()) {
      long left = turns.nanosToNext(now);
      if (left == Long.MAX_VALUE) { // no claim waits
        left = quiet.nanos(now) - (now - begin);
      }
      if (left <= 0) {
        return;
      }
      LockSupport.parkNanos(left);
    }
  }

  /** Returns what the database has for this client, or null if it does not answer. */
  private @Nullable List<Sent> fetch(boolean sweeps) {
    var ask = asker;
    if (ask == null) {
      return null;
    }
    try {
      Fetch fetch = new Fetch(sweeps, turns.poll(time.nanos()));
      return ask.apply(fetch).get() instanceof Outcome.Answered<List<Sent>> answered
          ? answered.answer()
          : null;
    } catch (InterruptedException | ExecutionException e) {
      return null;
    }
  }

  /** One by one: a notification with a smaller id may appear after one with a larger. */
  private static List<Sent> delete(SqlSession session, List<Sent> all) {
    all.forEach(sent -> session.later("delete from lockkeeper_hint where id = ?", sent.id()));
    return all;
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

  /** A notification that was sent to this client. */
  record Sent(long id, String content) {}

  /** Reads this client's notifications, mostly none, and the place of a claim that waits. */
  private final class Fetch implements Step<List<Sent>> {

    private final boolean sweeps;
    private final Turns.@Nullable Poll waiting;

    Fetch(boolean sweeps, Turns.@Nullable Poll waiting) {
      this.sweeps = sweeps;
      this.waiting = waiting;
    }

    @Override
    public @Nullable List<Sent> alone(SqlSession session) throws SQLException {
      return sweeps ? null : sent(session);
    }

    @Override
    public List<Sent> run(SqlSession session) throws SQLException {
      if (sweeps) {
        session.update(sweep);
      }
      return sent(session);
    }

    private List<Sent> sent(SqlSession session) throws SQLException {
      if (waiting == null) {
        return session.allAmongSent(SENT + " order by id", Fetch::sent, client);
      }
      List<Sent> all = new ArrayList<>();
      session.allAmongSent(
          SENT_AND_PLACE,
          row -> row.getString(2) == null ? place(waiting, row) : all.add(sent(row)),
          client,
          waiting.claim().resource(),
          waiting.from(),
          waiting.claim().arrival());
      all.sort(Comparator.comparingLong(Sent::id));
      return all;
    }

    private static Sent sent(ResultSet row) throws SQLException {
      return new Sent(row.getLong(1), row.getString(2));
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
