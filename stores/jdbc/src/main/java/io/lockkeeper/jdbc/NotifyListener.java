package io.lockkeeper.jdbc;

import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A thread that receives what PostgreSQL notifies this client of, on a connection of its own. When
 * that is lost it opens another, again and again with growing pauses, and then says that
 * notifications may have been missed.
 *
 * <p>Whether notifications arrive is tested before they count, and now and then while the client is
 * used: a pooler may accept the {@code LISTEN} and give the session on which it was made to others.
 * The test's notification is sent by a transaction on another connection, as real ones are: sent on
 * this one it would arrive behind a pooler too.
 */
final class NotifyListener implements AutoCloseable {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  /** How long it waits for notifications before it makes sure that the server is still there. */
  private static final int QUIET_MILLIS = 5_000;

  private static final long TEST_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LAST_PAUSE_MILLIS = 5_000;

  /** The pause after a test in vain: it will hardly pass the next time. */
  private static final long POOLED_PAUSE_MILLIS = 60_000;

  private static final long FAREWELL_MILLIS = 1_000;
  private static final String ABOUT = "\uffff listen";

  /** How the text of a test begins, and of no notification. */
  private static final String TEST = "T|";

  /** Asks for a step in a transaction on another connection. */
  @FunctionalInterface
  interface Asker extends Function<Step<Boolean>, CompletableFuture<Outcome<Boolean>>> {}

  private final OwnLinks.Opener opener;
  private final String channel;
  private final NotificationReader reader;
  private final int timeoutMillis;
  private final TimeSource time;
  private final RandomGenerator random;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Asker asker;
  private volatile @Nullable ListenLink link;
  private volatile @Nullable Thread thread;

  /** Whether notifications arrive, as far as is known. */
  private volatile boolean works;

  /** Whether the client has done something since the last test. */
  private volatile boolean isUsed;

  /** Whether something was found out late that should have been notified. */
  private volatile boolean isSuspect;

  // Of one thread at a time.
  private long tests;
  private long testedNanos;

  private NotifyListener(
      OwnLinks.Opener opener,
      Asker asker,
      String client,
      int timeoutMillis,
      TimeSource time,
      RandomGenerator random) {
    this.opener = opener;
    this.asker = asker;
    this.channel = ChannelNotifications.channel(client);
    this.reader = new NotificationReader(client);
    this.timeoutMillis = timeoutMillis;
    this.time = time;
    this.random = random;
  }

  /**
   * Connects and begins to collect what is notified.
   *
   * @param asker asks for a transaction on another connection
   * @param timeoutMillis how long the server may take for an answer
   * @throws PooledSessionException if what is notified does not arrive, as behind a pooler that
   *     gives each transaction another session
   * @throws SQLException if this connection cannot listen for another reason: another driver, or no
   *     second connection
   */
  static NotifyListener open(
      OwnLinks.Opener opener,
      Asker asker,
      String client,
      int timeoutMillis,
      TimeSource time,
      RandomGenerator random)
      throws SQLException {
    NotifyListener listener =
        new NotifyListener(opener, asker, client, timeoutMillis, time, random);
    try {
      listener.connect(NotificationListener.silent());
      return listener;
    } finally {
      if (!listener.works) {
        listener.disconnect();
      }
    }
  }

  /** Sets what asks for transactions from now on. Called once, before {@link #start}. */
  void use(Asker lasting) {
    asker = lasting;
  }

  /** Returns whether notifications arrive, as far as is known. */
  boolean works() {
    return works;
  }

  /** Says that this client does something. */
  void used() {
    isUsed = true;
  }

  /** Says that something was found out otherwise than by a notification. */
  void foundLate() {
    isSuspect = true;
  }

  private void connect(NotificationListener listener) throws SQLException {
    ListenLink opened = ListenLink.of(opener.open(), channel, QUIET_MILLIS + timeoutMillis);
    link = opened;
    if (!arrives(opened, listener)) {
      throw new PooledSessionException(
          "what PostgreSQL notifies does not arrive: the connection leads to a pooler that gives"
              + " each transaction another session");
    }
    works = true;
  }

  private void disconnect() {
    ListenLink current = link;
    link = null;
    if (current != null) {
      current.close();
    }
  }

  /**
   * Tests whether notifications arrive; if nobody can say, because the test could not be sent, they
   * do as far as is known.
   */
  private boolean arrives(ListenLink current, NotificationListener listener) throws SQLException {
    isUsed = false;
    isSuspect = false;
    testedNanos = time.nanos();
    String text = TEST + ++tests;
    Outcome<Boolean> sent = asker.apply(new Test(current, text)).join();
    if (!(sent instanceof Outcome.Answered<Boolean> answered)) {
      if (works) {
        return true;
      }
      throw new SQLException("cannot test whether notifications arrive: " + sent);
    }
    long endNanos = time.nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    boolean has = false;
    for (long left = 1; answered.answer() && !has && left > 0 && isOpen(); ) {
      left = TimeUnit.NANOSECONDS.toMillis(endNanos - time.nanos());
      has = take(current, (int) Math.max(1, left), text, listener);
    }
    return has;
  }

  /**
   * Sends the text of a test, and answers false if it is plain that a pooler stands between. While
   * this transaction has its session, the connection that listens has another one, and the one that
   * it had before; a {@code LISTEN} that is not its own is not even made.
   */
  private final class Test implements Step<Boolean> {

    private final ListenLink current;
    private final String text;

    Test(ListenLink current, String text) {
      this.current = current;
      this.text = text;
    }

    @Override
    public Boolean run(SqlSession other) throws SQLException {
      Long theirs = other.first("select pg_backend_pid()", row -> row.getLong(1));
      if (theirs == null
          || theirs == current.session()
          || !current.hasItsSession()
          || !current.listen()) {
        return false;
      }
      other.atEnd("select pg_notify(?, ?)", channel, text);
      return true;
    }

    /** It waits for the other connection, and nobody is to wait for that. */
    @Override
    public boolean isSolitary() {
      return true;
    }
  }

  /** Delivers what comes, and returns whether a text was among it. */
  private boolean take(ListenLink current, int millis, String test, NotificationListener listener)
      throws SQLException {
    boolean has = false;
    for (String text : current.await(millis)) {
      has |= text.equals(test);
      if (!text.isEmpty() && !text.startsWith(TEST)) {
        reader.deliver(listener, text);
      }
    }
    return has;
  }

  private boolean isOpen() {
    return closed.getCount() > 0;
  }

  /** Begins to tell. Called once. */
  void start(NotificationListener listener) {
    Thread listening = new Thread(() -> listen(listener), "lockkeeper-jdbc-listen");
    listening.setDaemon(true);
    thread = listening;
    listening.start();
  }

  private void listen(NotificationListener listener) {
    long pauseMillis = FIRST_PAUSE_MILLIS;
    while (isOpen()) {
      try {
        if (link == null) {
          connect(listener);
          listener.reconnected();
        }
        pauseMillis = FIRST_PAUSE_MILLIS;
        while (isOpen()) {
          deliver(listener);
        }
      } catch (Throwable e) { // an error too: there is nobody else to try again
        boolean worked = works;
        works = false;
        disconnect();
        if (isOpen() && worked) {
          LOG.log(Level.DEBUG, "this client is not notified for now; it polls more often", e);
          listener.reconnected(); // so that all ask again, and in shorter intervals
        }
        boolean isPooled = e instanceof PooledSessionException;
        pause(isPooled ? POOLED_PAUSE_MILLIS : pauseMillis);
        pauseMillis = Math.min(LAST_PAUSE_MILLIS, 2 * pauseMillis);
      }
    }
    disconnect();
  }

  private void deliver(NotificationListener listener) throws SQLException {
    ListenLink current = link;
    if (current == null) {
      throw new SQLException("the connection is closed");
    }
    long beganNanos = time.nanos();
    take(current, QUIET_MILLIS, "", listener);
    boolean wasQuiet = time.nanos() - beganNanos >= TimeUnit.MILLISECONDS.toNanos(QUIET_MILLIS);
    if (isOpen() && wasQuiet && !current.listen()) {
      throw new PooledSessionException("the connection that listens has another session");
    }
    if (isOpen() && isTestDue() && !arrives(current, listener)) {
      throw new PooledSessionException("what PostgreSQL notifies does not arrive any more");
    }
  }

  private boolean isTestDue() {
    long agoNanos = time.nanos() - testedNanos;
    return (isUsed && agoNanos >= TEST_NANOS)
        || (isSuspect && agoNanos >= TimeUnit.MILLISECONDS.toNanos(QUIET_MILLIS));
  }

  private void pause(long millis) {
    try {
      closed.await(random.nextLong(millis) + millis / 2, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed.countDown();
    }
  }

  /**
   * Ends listening. Nothing but a notification ends a wait for one without breaking the connection;
   * that is broken only if the server does not answer.
   */
  @Override
  public void close() {
    closed.countDown();
    Thread listening = thread;
    if (listening != null && listening != Thread.currentThread()) {
      var unused = asker.apply(this::wake);
      if (!hasEnded(listening)) {
        ListenLink current = link;
        if (current != null) {
          current.abort();
        }
        hasEnded(listening);
      }
    }
    disconnect();
  }

  private boolean wake(SqlSession session) throws SQLException {
    session.atEnd("select pg_notify(?, ?)", channel, "");
    return true;
  }

  private static boolean hasEnded(Thread listening) {
    try {
      listening.join(FAREWELL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return !listening.isAlive();
  }

  /** Asks for transactions of a client. */
  static Asker asker(Transactions transactions) {
    return step -> transactions.ask(ABOUT, step);
  }
}
