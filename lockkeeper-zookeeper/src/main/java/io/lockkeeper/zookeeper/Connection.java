package io.lockkeeper.zookeeper;

import io.lockkeeper.StoreUnavailableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One client's way to the ensemble: Curator keeps it connected and begins a new session when one
 * has ended; the questions go to ZooKeeper's own handle and are asked once.
 *
 * <p>Every question is asynchronous and ends within the time limit: with its answer, with a {@link
 * KeeperException}, with a {@link Failures.DeniedException} in place of ZooKeeper's own, or with a
 * {@link java.util.concurrent.TimeoutException}. Questions are carried out in the order in which
 * they were asked, as long as the session lasts. What follows an answer runs on ZooKeeper's event
 * thread and must not block.
 */
final class Connection implements AutoCloseable {

  /** Hears about the session. Called on any thread; returns quickly. */
  interface Listener {

    /** The session has ended, and with it all its ephemeral nodes; another begins or has begun. */
    void sessionLost();

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

  private final ZooKeeperSettings settings;
  private final Handles handles;
  private final CuratorFramework curator;
  private final Deadlines deadlines;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  /** The session whose end was not told yet; 0 before the first. */
  private volatile long session;

  private Connection(ZooKeeperSettings settings) {
    this.settings = settings;
    this.handles = new Handles(settings);
    this.deadlines = new Deadlines(settings.timeout().toMillis());
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(settings.connectString())
            .sessionTimeoutMs(Math.toIntExact(settings.sessionTimeout().toMillis()))
            .connectionTimeoutMs(Math.toIntExact(settings.connectTimeout().toMillis()))
            .retryPolicy((count, elapsedMillis, sleeper) -> false)
            .waitForShutdownTimeoutMs(Math.toIntExact(settings.timeout().toMillis()))
            .zookeeperFactory(handles);
    byte[] login = settings.login();
    if (login.length > 0) {
      builder.authorization("digest", login);
    }
    this.curator = builder.build();
  }

  /**
   * Connects, within the connect timeout.
   *
   * @throws StoreUnavailableException if no server answers
   */
  static Connection open(ZooKeeperSettings settings) {
    Connection connection = new Connection(settings);
    boolean connected = false;
    try {
      connection.curator.getConnectionStateListenable().addListener((c, s) -> connection.heard(s));
      connection.curator.start();
      long millis = settings.connectTimeout().toMillis();
      connected =
          connection.curator.blockUntilConnected(Math.toIntExact(millis), TimeUnit.MILLISECONDS);
      if (connected) {
        connection.session = connection.sessionId();
        return connection;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!connected) {
        connection.close();
      }
    }
    throw new StoreUnavailableException(
        "no ZooKeeper server answers at "
            + settings.connectString()
            + " within "
            + settings.connectTimeout().toMillis()
            + " ms",
        null);
  }

  ZooKeeperSettings settings() {
    return settings;
  }

  void addListener(Listener listener) {
    listeners.add(listener);
  }

  /** Returns the session's number; 0 while there is none. */
  long sessionId() {
    ZooKeeper handle = handles.current();
    return handle == null ? 0 : handle.getSessionId();
  }

  /** Returns how long the servers keep a silent session, as agreed with them. */
  long sessionTimeoutMillis() {
    ZooKeeper handle = handles.current();
    int agreed = handle == null ? 0 : handle.getSessionTimeout();
    return agreed > 0 ? agreed : settings.sessionTimeout().toMillis();
  }

  /** Reads a node; {@code watcher} hears of its next change or end. */
  CompletableFuture<Node> read(String path, @Nullable Watcher watcher) {
    return ask(
        Demand.read(path),
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
        Demand.read(path),
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
        Demand.read(path),
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
        Demand.create(path),
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
              Throwable cause = Failures.unwrap(failure);
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

  /** Writes a node if it has this version; -1 for any. */
  CompletableFuture<Stat> write(String path, byte[] data, int version) {
    return ask(
        Demand.write(path),
        (handle, answer) ->
            handle.setData(
                path,
                data,
                version,
                (code, p, context, stat) -> answer.complete(code, () -> stat),
                null));
  }

  /** Deletes a node if it has this version; -1 for any. */
  CompletableFuture<Void> delete(String path, int version) {
    return ask(
        Demand.delete(path),
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
    return ask(Demand.of(ops.get(0)), (handle, answer) -> multi(ops, handle, answer));
  }

  /** As {@link #multi(List)}, but only in this session. */
  CompletableFuture<List<OpResult>> multi(List<Op> ops, long inSession) {
    return ask(
        Demand.of(ops.get(0)),
        (handle, answer) -> {
          if (handle.getSessionId() == inSession) {
            multi(ops, handle, answer);
          } else {
            answer.future.completeExceptionally(new KeeperException.SessionExpiredException());
          }
        });
  }

  private static void multi(List<Op> ops, ZooKeeper handle, Answer<List<OpResult>> answer) {
    handle.multi(
        ops,
        (code, p, context, results) -> {
          int failed = Failures.firstFailed(results);
          if (failed < 0) {
            answer.complete(code, () -> results);
          } else {
            int reason = ((OpResult.ErrorResult) results.get(failed)).getErr();
            answer.fail(reason, Demand.of(ops.get(failed)));
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
                Failures.isAgreed(failure)
                    ? CompletableFuture.completedFuture(nothing())
                    : CompletableFuture.failedFuture(Failures.unwrap(failure)));
  }

  /** Ends the session and frees the threads. */
  @Override
  public void close() {
    listeners.clear();
    curator.close();
  }

  /** Ends the session as the death of its process would, without waiting: for tests. */
  void die() {
    ZooKeeper handle = handles.current();
    if (handle != null) {
      try {
        handle.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Stops talking to the servers, which will end the session in its time: for tests. */
  void vanish() {
    handles.vanish();
  }

  private void heard(ConnectionState state) {
    if (state == ConnectionState.LOST) {
      long ended = session;
      session = 0;
      if (ended != 0) {
        listeners.forEach(Listener::sessionLost);
      }
    } else if (state == ConnectionState.RECONNECTED || state == ConnectionState.CONNECTED) {
      long before = session;
      long now = sessionId();
      session = now;
      if (before != 0 && before != now) {
        listeners.forEach(Listener::sessionLost);
      }
      listeners.forEach(Listener::reconnected);
    }
  }

  private <T> CompletableFuture<T> ask(Demand demand, Question<T> question) {
    Answer<T> answer = new Answer<>(settings, demand);
    ZooKeeper handle = handles.current();
    if (handle == null) {
      answer.future.completeExceptionally(new KeeperException.ConnectionLossException());
      return answer.future;
    }
    try {
      question.ask(handle, answer);
    } catch (RuntimeException e) {
      answer.future.completeExceptionally(e);
    }
    return deadlines.limit(answer.future);
  }

  @SuppressWarnings("NullAway") // a future of nothing
  private static Void nothing() {
    return null;
  }

  @FunctionalInterface
  private interface Question<T> {
    void ask(ZooKeeper handle, Answer<T> answer);
  }

  @FunctionalInterface
  private interface Value<T> {
    T get();
  }

  private static final class Answer<T> {
    final CompletableFuture<T> future = new CompletableFuture<>();
    private final ZooKeeperSettings settings;
    private final Demand demand;

    Answer(ZooKeeperSettings settings, Demand demand) {
      this.settings = settings;
      this.demand = demand;
    }

    void complete(int code, Value<T> value) {
      if (code == KeeperException.Code.OK.intValue()) {
        future.complete(value.get());
      } else {
        fail(code, demand);
      }
    }

    void fail(int reason, Demand unmet) {
      KeeperException.Code code = KeeperException.Code.get(reason);
      future.completeExceptionally(
          code == KeeperException.Code.NOAUTH
              ? new Failures.DeniedException(unmet.denied(settings))
              : KeeperException.create(code, unmet.path()));
    }
  }
}
