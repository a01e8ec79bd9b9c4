package io.lockkeeper.zookeeper;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.support.Answers;
import io.lockkeeper.spi.support.Deadlines;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One client's way to the ensemble. Its questions go to the present one of its {@link Sessions} and
 * are asked once.
 *
 * <p>Every question is asynchronous and ends within the time limit: with its answer, with a {@link
 * KeeperException}, with a {@link ZkFailures.DeniedException} in place of ZooKeeper's own, or with
 * a {@link TimeoutException}. Questions are carried out in the order in which they were asked, as
 * long as the session lasts. What follows an answer runs on ZooKeeper's event thread and must not
 * block.
 *
 * <p>This file is long because every kind of question that is asked of ZooKeeper has a method here.
 */
final class Connection implements AutoCloseable, Sessions.Listener {

  /** Hears about the session. Called on any thread; returns quickly. */
  interface Listener {

    /** A session has ended, and with it all its ephemeral nodes; another begins or has begun. */
    void sessionLost(long session);

    /** There is a connection again. The session is the old one, or a new one. */
    void reconnected();
  }

  /** The data of a node, and what ZooKeeper says about it. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares nodes
  record Node(byte[] data, Stat stat) {}

  /** The names of a node's children, in no order, and what ZooKeeper says about the node. */
  record Children(List<String> names, Stat stat) {}

  /** A node that was made. */
  record Created(String path, Stat stat) {}

  private static final int MOST_DOUBLINGS = 10;

  /** Into how many parts a session timeout is divided, of which one passes without a request. */
  private static final int SESSION_PARTS = 6;

  private final ZooKeeperSettings settings;
  private final Sessions sessions;
  private final Scheduler scheduler;
  private final Deadlines deadlines;
  private final TimeSource time;

  /** Those of the present session. */
  private volatile SignsOfLife signs;

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  /** The session whose end was not told yet; 0 before the first. */
  private volatile long session;

  /** The least time that servers have agreed to keep a silent session. */
  private volatile long shortestMillis = Long.MAX_VALUE;

  /** How many answers servers have given. */
  private final AtomicLong answers = new AtomicLong();

  /** Whether a server that does not answer may be left: not again for a while after the last. */
  private final AtomicBoolean mayChangeServer = new AtomicBoolean(true);

  /** Set before the scheduler is closed, which takes no task after that. */
  private volatile boolean isClosed;

  /** How many servers in a row were left without an answer from any. */
  private final AtomicInteger serversLeft = new AtomicInteger();

  /** Creates one on sessions that tell it when they begin and end. */
  Connection(ZooKeeperSettings settings, Sessions sessions, Environment environment) {
    this.settings = settings;
    this.sessions = sessions;
    this.scheduler = environment.schedulers().get();
    this.time = environment.time();
    this.signs = new SignsOfLife(time.nanos());
    this.deadlines = new Deadlines(settings.timeout().toMillis(), scheduler);
  }

  /** Connects with sessions of its own. */
  static Connection open(ZooKeeperSettings settings, Environment environment) {
    return open(settings, environment, new RealSessions(settings));
  }

  /**
   * Connects, within the connect timeout.
   *
   * @param handles the sessions, which it closes
   * @throws StoreUnavailableException if no server answers, or the thread is interrupted, which it
   *     then stays
   */
  static Connection open(
      ZooKeeperSettings settings, Environment environment, RealSessions handles) {
    Connection connection = new Connection(settings, handles, environment);
    boolean connected = false;
    String place = settings.connectString();
    String failure =
        "no ZooKeeper server answers at "
            + place
            + " within "
            + settings.connectTimeout().toMillis()
            + " ms";
    try {
      if (Thread.interrupted()) { // Curator does not look if it is connected already
        throw new InterruptedException();
      }
      connected = handles.connect(connection);
      if (connected) {
        connection.session = connection.sessionId();
        connection.keepAlive();
        return connection;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = "interrupted while connecting to ZooKeeper at " + place;
    } finally {
      if (!connected) {
        connection.close();
      }
    }
    throw new StoreUnavailableException(failure, null);
  }

  ZooKeeperSettings settings() {
    return settings;
  }

  void addListener(Listener listener) {
    listeners.add(listener);
  }

  /** Returns the session's number; 0 while there is none. */
  long sessionId() {
    Session handle = sessions.current();
    return handle == null ? 0 : handle.getSessionId();
  }

  /**
   * Returns how long the servers keep a silent session, as agreed with them: the least that any has
   * agreed to, as the client may come back to that one.
   */
  long sessionTimeoutMillis() {
    Session handle = sessions.current();
    int agreed = handle == null ? 0 : handle.getSessionTimeout();
    long known = agreed > 0 ? agreed : settings.sessionTimeout().toMillis();
    return Math.min(known, shortestMillis);
  }

  /** Returns for how long the servers keep the session at least, as far as this client knows. */
  long sureSessionMillis() {
    long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(sessionTimeoutMillis());
    return TimeUnit.NANOSECONDS.toMillis(signs.sureNanos(time.nanos(), timeoutNanos));
  }

  /** Sends a request that needs no answer, again and again. */
  private void keepAlive() {
    showLife();
    scheduler.schedule(this::keepAlive, keepAliveNanos());
  }

  /** Returns how much time passes between two requests at most. */
  long keepAliveNanos() {
    return TimeUnit.MILLISECONDS.toNanos(sessionTimeoutMillis() / SESSION_PARTS);
  }

  void showLife() {
    long sentNanos = time.nanos();
    SignsOfLife present = signs;
    var unused =
        exists(settings.root(), null)
            .whenComplete(
                (stat, failure) -> {
                  if (failure == null || ZkFailures.isAgreed(failure)) {
                    present.add(sentNanos, time.nanos());
                  }
                });
  }

  /** Reads a node; {@code watcher} is notified of its next change or end. */
  CompletableFuture<Node> read(String path, @Nullable Watcher watcher) {
    return ask(
        RequiredPermission.read(path),
        (handle, answer) ->
            handle.getData(
                path,
                watcher,
                (code, p, context, data, stat) ->
                    answer.complete(code, () -> new Node(data == null ? new byte[0] : data, stat)),
                null));
  }

  /** Says what ZooKeeper knows about a node; fails with NoNode if it is not there. */
  CompletableFuture<Stat> exists(String path, @Nullable Watcher watcher) {
    return ask(
        RequiredPermission.read(path),
        (handle, answer) ->
            handle.exists(
                path,
                watcher,
                (code, p, context, stat) -> answer.complete(code, () -> stat),
                null));
  }

  /** Lists a node's children. */
  CompletableFuture<Children> children(String path) {
    return ask(
        RequiredPermission.read(path),
        (handle, answer) ->
            handle.getChildren(
                path,
                false,
                (code, p, context, names, stat) ->
                    answer.complete(code, () -> new Children(names, stat)),
                null));
  }

  /** Makes a node with the store's access list. */
  CompletableFuture<Created> create(String path, byte[] data, CreateMode mode) {
    return ask(
        RequiredPermission.create(path),
        (handle, answer) ->
            handle.create(
                path,
                data,
                settings.acl(),
                mode,
                (code, p, context, name, stat) ->
                    answer.complete(code, () -> new Created(name, stat)),
                null));
  }

  /** Makes a node that is only there to have children, and its parents; goes by itself if empty. */
  CompletableFuture<Created> createFolder(String path) {
    return create(path, new byte[0], CreateMode.CONTAINER)
        .exceptionallyCompose(
            failure -> {
              Throwable cause = Answers.cause(failure);
              if (cause instanceof KeeperException.NodeExistsException) {
                return CompletableFuture.completedFuture(new Created(path, new Stat()));
              }
              int slash = path.lastIndexOf('/');
              if (cause instanceof KeeperException.NoNodeException && slash > 0) {
                return createFolder(path.substring(0, slash)).thenCompose(up -> createFolder(path));
              }
              return CompletableFuture.failedFuture(cause);
            });
  }

  /** Makes a watcher one of all changes below a path, which need not be there, for good. */
  CompletableFuture<Void> watch(String path, Watcher watcher) {
    return ask(
        RequiredPermission.read(path),
        (handle, answer) ->
            handle.addWatch(
                path,
                watcher,
                AddWatchMode.PERSISTENT_RECURSIVE,
                (code, p, context) -> answer.complete(code, Connection::nothing),
                null));
  }

  /** Deletes a node if it has this version; -1 for any. */
  CompletableFuture<Void> delete(String path, int version) {
    return ask(
        RequiredPermission.delete(path),
        (handle, answer) ->
            handle.delete(
                path,
                version,
                (code, p, context) -> answer.complete(code, Connection::nothing),
                null));
  }

  /**
   * Does several things in one step, or none of them. If one of them cannot be done, the failure is
   * that of the first such.
   */
  CompletableFuture<List<OpResult>> multi(List<Op> ops) {
    return ask(RequiredPermission.of(ops.get(0)), (handle, answer) -> multi(ops, handle, answer));
  }

  /**
   * As {@link #multi(List)}, but only in this session. Nothing is sent if that is 0: a new session
   * would carry it out as soon as it has begun, and would not know its nodes for its own.
   */
  CompletableFuture<List<OpResult>> multi(List<Op> ops, long inSession) {
    return ask(
        RequiredPermission.of(ops.get(0)),
        (handle, answer) -> {
          if (inSession != 0 && handle.getSessionId() == inSession) {
            multi(ops, handle, answer);
          } else {
            answer.completeExceptionally(new KeeperException.SessionExpiredException());
          }
        });
  }

  private static void multi(List<Op> ops, Session handle, Answer<List<OpResult>> answer) {
    handle.multi(
        ops,
        (code, p, context, results) -> {
          int failed = ZkFailures.firstFailed(results);
          if (failed < 0) {
            answer.complete(code, () -> results);
          } else {
            int reason = ((OpResult.ErrorResult) results.get(failed)).getErr();
            answer.fail(reason, RequiredPermission.of(ops.get(failed)));
          }
        },
        null);
  }

  /**
   * Lets the connected server catch up with all that was before, as a majority has it; reads after
   * it see that. It is a transaction without a change, on which the majority has to agree. ({@code
   * sync} would not do: a leader that is cut off from the others answers it by itself, until it
   * notices, with what it last knew.)
   *
   * @param path a node, which need not be there: the majority agrees to a failure too
   */
  CompletableFuture<Void> catchUp(String path) {
    return multi(List.of(Op.check(path, -1)))
        .thenAccept(results -> {})
        .exceptionallyCompose(
            failure ->
                ZkFailures.isAgreed(failure)
                    ? CompletableFuture.completedFuture(nothing())
                    : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  /** Runs something later, on a thread for short tasks, unless this is closed by then. */
  void later(Runnable task, long delayNanos) {
    scheduler.schedule(task, delayNanos);
  }

  /** Ends the session and frees the threads. */
  @Override
  public void close() {
    isClosed = true;
    listeners.clear();
    sessions.close();
    scheduler.close();
    deadlines.close();
  }

  @Override
  public void begins() {
    signs = new SignsOfLife(time.nanos());
  }

  @Override
  public void lost() {
    long ended = session;
    session = 0;
    if (ended != 0) {
      listeners.forEach(listener -> listener.sessionLost(ended));
    }
  }

  @Override
  public void connected() {
    long before = session;
    long now = sessionId();
    session = now;
    if (before != 0 && before != now) {
      listeners.forEach(listener -> listener.sessionLost(before));
    }
    shortestMillis = sessionTimeoutMillis();
    showLife();
    listeners.forEach(Listener::reconnected);
  }

  private <T> CompletableFuture<T> ask(RequiredPermission demand, Question<T> question) {
    Answer<T> answer = new Answer<>(demand);
    Session handle = sessions.current();
    if (handle == null) {
      answer.completeExceptionally(new KeeperException.ConnectionLossException());
      return answer;
    }
    try {
      question.ask(handle, answer);
    } catch (Throwable e) { // an error too: who asked goes on
      answer.completeExceptionally(e);
    }
    return deadlines.limit(answer);
  }

  /**
   * Leaves a server that has answered nothing for the time limit of a request. The handle itself
   * would wait for two thirds of the session timeout, which is as long as a lease. Where no server
   * answers, each stays for twice as long as the one before, up to that time: it may be slow to
   * connect.
   */
  private void changeServer() {
    Session handle = sessions.current();
    if (handle != null && !isClosed && mayChangeServer.compareAndSet(true, false)) {
      long limitMillis = settings.timeout().toMillis();
      long pauseMillis =
          Math.min(
              limitMillis << Math.min(serversLeft.getAndIncrement(), MOST_DOUBLINGS),
              Math.max(limitMillis, sessionTimeoutMillis() * 2 / 3));
      scheduler.schedule(
          () -> mayChangeServer.set(true), TimeUnit.MILLISECONDS.toNanos(pauseMillis));
      handle.changeServer();
    }
  }

  @SuppressWarnings("NullAway") // a future of nothing
  private static Void nothing() {
    return null;
  }

  @FunctionalInterface
  private interface Question<T> {
    void ask(Session handle, Answer<T> answer);
  }

  @FunctionalInterface
  private interface Value<T> {
    T get();
  }

  /** An answer to come. */
  private final class Answer<T> extends CompletableFuture<T> {
    private final RequiredPermission demand;
    private final long answersBefore = answers.get();

    Answer(RequiredPermission demand) {
      this.demand = demand;
    }

    void complete(int code, Value<T> value) {
      if (code == KeeperException.Code.OK.intValue()) {
        answered();
        complete(value.get());
      } else {
        fail(code, demand);
      }
    }

    void fail(int reason, RequiredPermission unmet) {
      KeeperException.Code code = KeeperException.Code.get(reason);
      if (code != KeeperException.Code.CONNECTIONLOSS) { // which the handle itself says
        answered();
      }
      completeExceptionally(
          code == KeeperException.Code.NOAUTH
              ? new ZkFailures.DeniedException(unmet.denied(settings))
              : KeeperException.create(code, unmet.path()));
    }

    private void answered() {
      answers.incrementAndGet();
      if (serversLeft.get() != 0) {
        serversLeft.set(0);
      }
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
      boolean isTheEnd = super.completeExceptionally(failure);
      if (isTheEnd && failure instanceof TimeoutException && answers.get() == answersBefore) {
        changeServer();
      }
      return isTheEnd;
    }
  }
}
