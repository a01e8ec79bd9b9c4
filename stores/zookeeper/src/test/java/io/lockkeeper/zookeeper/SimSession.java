package io.lockkeeper.zookeeper;

import io.lockkeeper.testkit.sim.SimHost;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper's driver in one session, under simulation: it loses its connection, fails what was on
 * its way, goes on at any server that is not behind what it has seen, sets its watches again, or
 * hears that the session is over.
 */
final class SimSession implements Session {

  private final SimEnsemble ensemble;
  private final SimSessions sessions;
  private final SimHost host;
  private final Map<String, Set<Watcher>> watchers = new HashMap<>();

  private final Map<String, Watcher> watchersBelow = new TreeMap<>();

  /** For each watched node whether it was there when the watch was set. */
  private final Map<String, Boolean> wasThere = new HashMap<>();

  private final Queue<SimRequest> pending = new ArrayDeque<>();
  private final Queue<SimRequest> unsent = new ArrayDeque<>();
  private @Nullable SimLine line;
  private long id;
  private long seenZxid;
  private long cutNanos;
  private long sentNanos;
  private int attempts;
  private boolean hasEnded;

  SimSession(SimEnsemble ensemble, SimSessions sessions, SimHost host) {
    this.ensemble = ensemble;
    this.sessions = sessions;
    this.host = host;
    this.cutNanos = ensemble.now();
  }

  // ------------------------------------------------------------- the driver's requests

  @Override
  public long getSessionId() {
    return id;
  }

  @Override
  public int getSessionTimeout() {
    return id == 0 ? 0 : ensemble.sessionMillis();
  }

  /** Does nothing: the simulated ensemble breaks connections itself. */
  @Override
  public void changeServer() {}

  @Override
  public void getData(
      String path,
      @Nullable Watcher watcher,
      AsyncCallback.DataCallback answer,
      @Nullable Object none) {
    Consumer<Code> failed = code -> answer.processResult(code.intValue(), path, none, null, null);
    submit(
        SimRequest.read(
            path,
            watcher,
            false,
            tree -> {
              byte[] data = tree.data(path);
              Stat stat = tree.stat(path);
              return () -> {
                watched(path, watcher, true);
                answer.processResult(0, path, none, data, stat);
              };
            },
            failed));
  }

  @Override
  public void exists(
      String path,
      @Nullable Watcher watcher,
      AsyncCallback.StatCallback answer,
      @Nullable Object none) {
    submit(
        SimRequest.read(
            path,
            watcher,
            true,
            tree -> {
              Stat stat = tree.stat(path);
              return () -> {
                watched(path, watcher, true);
                answer.processResult(0, path, none, stat);
              };
            },
            code -> {
              if (code == Code.NONODE) {
                watched(path, watcher, false);
              }
              answer.processResult(code.intValue(), path, none, null);
            }));
  }

  @Override
  public void getChildren(
      String path, boolean watch, AsyncCallback.Children2Callback answer, @Nullable Object none) {
    submit(
        SimRequest.read(
            path,
            null,
            false,
            tree -> {
              List<String> names = ensemble.shuffled(tree.children(path));
              Stat stat = tree.stat(path);
              return () -> {
                answer.processResult(0, path, none, names, stat);
              };
            },
            code -> answer.processResult(code.intValue(), path, none, null, null)));
  }

  @Override
  public void create(
      String path,
      byte[] data,
      List<ACL> acl,
      CreateMode mode,
      AsyncCallback.Create2Callback answer,
      @Nullable Object none) {
    write(
        Op.create(path, data, acl, mode),
        result -> {
          OpResult.CreateResult made = (OpResult.CreateResult) result;
          answer.processResult(0, path, none, made.getPath(), made.getStat());
        },
        code -> answer.processResult(code.intValue(), path, none, null, null));
  }

  @Override
  public void addWatch(
      String path,
      Watcher watcher,
      AddWatchMode mode,
      AsyncCallback.VoidCallback answer,
      @Nullable Object none) {
    submit(
        SimRequest.watch(
            path,
            () -> {
              watchersBelow.put(path, watcher);
              answer.processResult(0, path, none);
            },
            code -> answer.processResult(code.intValue(), path, none)));
  }

  @Override
  public void delete(
      String path, int version, AsyncCallback.VoidCallback answer, @Nullable Object none) {
    write(
        Op.delete(path, version),
        result -> answer.processResult(0, path, none),
        code -> answer.processResult(code.intValue(), path, none));
  }

  private void write(Op op, Consumer<OpResult> done, Consumer<Code> failed) {
    submit(
        SimRequest.write(
            List.of(op),
            outcome -> {
              if (outcome.code() == Code.OK) {
                done.accept(outcome.results().get(0));
              } else {
                failed.accept(outcome.code());
              }
            },
            failed));
  }

  @Override
  public void multi(Iterable<Op> all, AsyncCallback.MultiCallback answer, @Nullable Object none) {
    List<Op> ops = new ArrayList<>();
    all.forEach(op -> ops.add(isSkipped(op) ? Op.check("/", -1) : op));
    submit(
        SimRequest.write(
            ops,
            outcome ->
                answer.processResult(outcome.code().intValue(), null, none, outcome.results()),
            code -> answer.processResult(code.intValue(), null, none, null)));
  }

  private boolean isSkipped(Op op) {
    return ensemble.has(SimEnsemble.Fault.NODES_TAKEN_FOR_OTHERS)
        && op.getType() == OpCode.check
        && op.getPath().contains("/i.");
  }

  private void submit(SimRequest request) {
    host.trace(() -> this + " asks: " + request);
    SimLine open = line;
    if (hasEnded) {
      later(0, () -> request.failed().accept(Code.SESSIONEXPIRED));
    } else if (open == null) {
      unsent.add(request);
    } else {
      boolean wasSilent = ensemble.now() - sentNanos > ensemble.sessionMillis() * 250_000L;
      send(open, request);
      if (ensemble.isUnlucky(host) || (wasSilent && ensemble.isUnluckyAfterSilence(host))) {
        later(host.random().nextLong(ensemble.latencyNanos(this) * 3), () -> cut(open));
      }
    }
  }

  private void send(SimLine open, SimRequest request) {
    pending.add(request);
    sentNanos = ensemble.now();
    open.send(
        () -> {
          ensemble.touch(this);
          open.server.receive(open, request);
        });
  }

  // ------------------------------------------------------------- what comes from the server

  private void watched(String path, @Nullable Watcher watcher, boolean isThere) {
    if (watcher != null) {
      watchers.computeIfAbsent(path, any -> new LinkedHashSet<>()).add(watcher);
      wasThere.merge(path, isThere, Boolean::logicalOr);
    }
  }

  /** Hears an answer or an event. */
  void hears(long zxid, Runnable news) {
    if (!hasEnded) {
      seenZxid = Math.max(seenZxid, zxid);
      news.run();
    }
  }

  /** Hears an answer. */
  void answered(Runnable answer) {
    pending.poll();
    answer.run();
  }

  /** Called after a change. */
  void happened(EventType type, String path, long zxid) {
    Set<Watcher> all = watchers.remove(path);
    wasThere.remove(path);
    if (all != null) {
      host.trace(() -> this + " hears: " + type + " " + path);
      WatchedEvent event = new WatchedEvent(type, KeeperState.SyncConnected, path, zxid);
      all.forEach(watcher -> watcher.process(event));
    }
  }

  /** Called after a change below a place that is watched for good. */
  void happenedBelow(EventType type, String path, String place) {
    Watcher watcher = watchersBelow.get(place);
    if (watcher != null) {
      host.trace(() -> this + " hears: " + type + " " + path);
      watcher.process(new WatchedEvent(type, KeeperState.SyncConnected, path));
    }
  }

  // ------------------------------------------------------------- connecting

  boolean isConnected() {
    return line != null;
  }

  /** Returns when it lost its latest connection. */
  long cutNanos() {
    return cutNanos;
  }

  SimHost host() {
    return host;
  }

  void later(long delayNanos, Runnable task) {
    host.inProcess(delayNanos, task);
  }

  /** Loses the connection. */
  void cut(SimLine lost) {
    if (line != lost || hasEnded) {
      return;
    }
    host.trace(() -> this + " is cut off from " + lost.server);
    line = null;
    cutNanos = ensemble.now();
    lost.cut();
    ensemble.at(cutNanos + host.random().nextLong(20_000_000), lost::close);
    ensemble.cutOff(this);
    failAll(Code.CONNECTIONLOSS);
    long cutThen = cutNanos;
    later(
        ensemble.sessionMillis() * 1_000_000L,
        () -> {
          if (line == null && cutNanos == cutThen) {
            end(); // it takes the session for over by itself
          }
        });
    connectLater();
  }

  private void failAll(Code code) {
    List<SimRequest> lost = new ArrayList<>(pending);
    lost.addAll(unsent);
    pending.clear();
    unsent.clear();
    for (SimRequest request : lost) {
      later(0, () -> request.failed().accept(code));
    }
  }

  private void connectLater() {
    long most = ensemble.isCutForLong() ? ensemble.sessionMillis() * 1_200_000L : 50_000_000L;
    later(host.isDisturbed() ? host.random().nextLong(most) : 1_000_000, this::connect);
  }

  /** Asks a server for a new session, or to go on with this one. */
  void connect() {
    if (hasEnded || line != null) {
      return;
    }
    int attempt = ++attempts;
    SimLine wanted = new SimLine(ensemble, this, ensemble.anyServer());
    wanted.send(
        () ->
            wanted.server.forward(
                () -> {
                  boolean isBehind = wanted.server.tree().zxid() < seenZxid;
                  boolean isGone = id != 0 && ensemble.isOver(id);
                  if (!isBehind && !isGone) {
                    long agreed = ensemble.move(this, id, wanted);
                    later(ensemble.latencyNanos(this), () -> connected(wanted, attempt, agreed));
                  } else {
                    later(
                        ensemble.latencyNanos(this),
                        () -> {
                          if (isGone) {
                            end();
                          } else {
                            connectLater();
                          }
                        });
                  }
                }));
    later(
        ensemble.connectNanos(),
        () -> {
          if (attempts == attempt) {
            connect(); // no answer
          }
        });
  }

  private void connected(SimLine wanted, int attempt, long agreedId) {
    if (hasEnded || line != null || attempts != attempt || !wanted.isOpen()) {
      return;
    }
    host.trace(() -> Long.toHexString(agreedId) + " goes on at " + wanted.server);
    id = agreedId;
    line = wanted;
    long since = seenZxid;
    Map<String, Boolean> known = Map.copyOf(wasThere);
    Set<String> below = new TreeSet<>(watchersBelow.keySet());
    wanted.send(() -> wanted.server.rewatch(wanted, known, below, since));
    List<SimRequest> left = new ArrayList<>(unsent);
    unsent.clear();
    left.forEach(request -> send(wanted, request));
    sessions.connected();
  }

  /** Is over. */
  void end() {
    if (hasEnded) {
      return;
    }
    host.trace(() -> this + " is over");
    hasEnded = true;
    SimLine open = line;
    line = null;
    if (open != null) {
      open.cut();
    }
    failAll(Code.SESSIONEXPIRED);
    sessions.lost();
  }

  /** Says farewell. */
  void close() {
    SimLine open = line;
    if (open != null && !hasEnded) {
      open.send(() -> open.server.forward(() -> ensemble.expire(id)));
    }
    hasEnded = true;
    failAll(Code.SESSIONEXPIRED);
  }

  @Override
  public String toString() {
    return "session " + Long.toHexString(id);
  }
}
