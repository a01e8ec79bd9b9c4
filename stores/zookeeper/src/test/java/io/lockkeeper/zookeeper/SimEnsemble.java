package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.record.RecordBasedStore;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.testkit.sim.SimHost;
import io.lockkeeper.testkit.sim.SimProtocol;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper under simulation, below the real store: one leader, which puts all writings into one
 * order, and servers that get them later. Whatever lies between a request and its answer happens at
 * a moment of its own, so the requests of different clients meet in any order that ZooKeeper
 * allows.
 */
final class SimEnsemble implements SimProtocol {

  private static final int SERVERS = 3;
  private static final long EPOCH = 1L << 32;
  private static final long BEGINNING_MILLIS = 1_700_000_000_000L;
  private static final int SPIKE_ONE_IN = 8;
  private static final int SPIKE = 10;

  /** What the leader knows of a session. */
  private static final class Known {
    final SimSession client;
    SimLine line;

    /** When it began or went on at another server, which the leader learns at once. */
    long movedNanos;

    /** When the leader had the latest transaction from its server. */
    long proposedNanos;

    /** The latest moments at which its server has heard it. */
    final NavigableSet<Long> touches = new TreeSet<>();

    /** For how long before it was cut off the server had not reported the session. */
    long unreportedNanos;

    boolean isOver;

    Known(SimSession client, SimLine line) {
      this.client = client;
      this.line = line;
    }
  }

  /** What is out of the ordinary. */
  enum Fault {
    NONE,
    /** Sessions outlast everything that goes wrong with their clients. */
    LASTING_SESSIONS,
    /** A record is written whichever node it is that has the version. */
    NODES_TAKEN_FOR_OTHERS
  }

  /** The beginnings of the lines that name a holder of a lock or a permit. */
  private static final Pattern HOLDER =
      Pattern.compile("^(?:h 1 lock \\S+ \\S+ ([^ ]+) |e ([^ /]+)/\\S+ GRANTED )");

  private final Fault fault;
  private final Set<String> crashed = new HashSet<>();
  private final SimTree leader = new SimTree();
  private final List<SimReplica> servers = new ArrayList<>();
  private final Map<Long, Known> sessions = new HashMap<>();
  private @Nullable SimHost world;
  private Random random = new Random(0);
  private int sessionMillis;
  private int latencyMicros;
  private boolean tellsTransactions;
  private int lagMicros;
  private int removalMillis;
  private int cutOneIn;
  private int longCutOneIn;
  private long zxid = EPOCH;

  SimEnsemble() {
    this(Fault.NONE);
  }

  SimEnsemble(Fault fault) {
    this.fault = fault;
    for (int i = 0; i < SERVERS; i++) {
      servers.add(new SimReplica(this, i));
    }
  }

  // ------------------------------------------------------------- clients

  /** Returns whether events say which transaction they are of, as those of newer servers do. */
  boolean tellsTransactions() {
    return tellsTransactions;
  }

  @Override
  public Store open(SimHost host, StoreContext context) {
    if (world == null) {
      draw(host);
    }
    ZooKeeperSettings settings =
        new ZooKeeperSettings(
            "simulated",
            "",
            "",
            "",
            ZooKeeperSettings.Access.OPEN,
            Duration.ofMillis(host.timeoutMillis()),
            Duration.ofSeconds(10),
            Duration.ofMillis(sessionMillis));
    SimSessions own = new SimSessions(this, host);
    Connection connection = new Connection(settings, own, context.environment());
    Store store =
        new RecordBasedStore(
            new ZooKeeperRecordStore(connection, true, context, RecordClock.own(host::steadyNanos)),
            context,
            settings.timeout());
    own.begin(connection);
    keepAlive(host, connection);
    return Boolean.getBoolean("lockkeeper.sim.trace") ? traced(store, host) : store;
  }

  /** Makes a client show life as long as that matters; a world at rest has no events. */
  private static void keepAlive(SimHost host, Connection connection) {
    host.inProcess(
        connection.keepAliveNanos(),
        () -> {
          if (host.isDisturbed()) {
            connection.showLife();
            keepAlive(host, connection);
          }
        });
  }

  /** Returns a store that prints what it is asked and what it answers. */
  private static Store traced(Store store, SimHost host) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, given) -> {
              String call = method.getName() + (given == null ? "" : Arrays.asList(given));
              host.trace(() -> host + " calls " + call);
              Object result = method.invoke(store, given);
              if (result instanceof CompletionStage<?> stage) {
                var unused =
                    stage.whenComplete(
                        (value, failure) ->
                            host.trace(() -> host + " is answered " + value + " to " + call));
              }
              return result;
            });
  }

  private void draw(SimHost host) {
    world = host;
    random = new Random(host.random().nextLong());
    boolean isShort = random.nextBoolean() && fault != Fault.LASTING_SESSIONS;
    sessionMillis = isShort ? random.nextInt(2_000, 8_000) : 45_000;
    latencyMicros = host.latencyMicros();
    lagMicros = 1 + random.nextInt(random.nextBoolean() ? 2_000 : 50_000);
    cutOneIn = random.nextInt(3) == 0 ? 60 : 400;
    longCutOneIn = random.nextInt(3) == 0 ? 2 : 8;
    removalMillis = 1 + random.nextInt(random.nextBoolean() ? 20 : 60_000);
    tellsTransactions = random.nextInt(4) > 0;
  }

  @Override
  public void crash(String clientId) {
    crashed.add(clientId);
  }

  /** Nobody holds anything and nobody waits; what is left of the dead goes when somebody comes. */
  @Override
  public boolean isQuiet() {
    List<String> left = leader.paths().stream().filter(path -> isUsed(path)).toList();
    world().trace(() -> "left: " + left);
    return left.isEmpty();
  }

  /** Returns whether a node is of a claim that waits, or a record says that somebody holds it. */
  private boolean isUsed(String path) {
    if (path.contains("/q!")) {
      return true;
    }
    try {
      return new String(leader.data(path), StandardCharsets.UTF_8)
          .lines()
          .map(HOLDER::matcher)
          .anyMatch(
              found ->
                  found.find()
                      && !crashed.contains(
                          found.group(1) == null ? found.group(2) : found.group(1)));
    } catch (KeeperException gone) {
      return false;
    }
  }

  // ------------------------------------------------------------- time

  private SimHost world() {
    SimHost opened = world;
    if (opened == null) {
      throw new IllegalStateException("nobody has come yet");
    }
    return opened;
  }

  long now() {
    return world().nowNanos();
  }

  void at(long atNanos, Runnable task) {
    world().inWorld(atNanos - now(), task);
  }

  /** Returns how long something is on its way between a client and a server. */
  long latencyNanos(SimSession session) {
    long nanos = 1 + random.nextLong(2_000L * latencyMicros);
    return random.nextInt(SPIKE_ONE_IN) == 0 ? SPIKE * nanos : nanos;
  }

  /** Returns how long something is on its way between servers. */
  long delayNanos() {
    return 1 + random.nextLong(1_000L * latencyMicros);
  }

  /** Returns how much later than the leader a server has a transaction. */
  long lagNanos() {
    long nanos = 1 + random.nextLong(1_000L * latencyMicros);
    return random.nextInt(20) == 0 ? nanos + random.nextLong(1_000L * lagMicros) : nanos;
  }

  int sessionMillis() {
    return sessionMillis;
  }

  long connectNanos() {
    return sessionMillis * 500_000L;
  }

  boolean isUnlucky(SimHost host) {
    return host.isDisturbed() && random.nextInt(cutOneIn) < host.lossPercent();
  }

  /** Returns whether a client loses its server when it comes after a pause: then it knows least. */
  boolean isUnluckyAfterSilence(SimHost host) {
    return host.isDisturbed() && random.nextInt(3) == 0;
  }

  /** Returns whether a client that was cut off finds no server for about as long as a session. */
  boolean isCutForLong() {
    return fault != Fault.LASTING_SESSIONS && random.nextInt(longCutOneIn) == 0;
  }

  SimReplica anyServer() {
    return servers.get(random.nextInt(SERVERS));
  }

  <T> List<T> shuffled(List<T> list) {
    Collections.shuffle(list, random);
    return list;
  }

  boolean has(Fault kind) {
    return fault == kind;
  }

  // ------------------------------------------------------------- sessions

  /** Makes a session, or moves one to another connection; returns its number. */
  long move(SimSession client, long id, SimLine line) {
    long number = id == 0 ? 0x1000 + sessions.size() : id;
    Known known = sessions.computeIfAbsent(number, any -> new Known(client, line));
    if (known.line != line && known.line.server == line.server) {
      known.line.close();
    }
    known.line = line;
    known.movedNanos = now();
    known.proposedNanos = now();
    if (id == 0) {
      lapse(known);
    }
    return number;
  }

  boolean isOver(long id) {
    Known known = sessions.get(id);
    return known == null || known.isOver;
  }

  void touch(SimSession session) {
    Known known = sessions.get(session.getSessionId());
    if (known != null) {
      known.touches.add(now());
      known.touches.headSet(now() - sessionMillis * 1_000_000L - 2 * reportNanos()).clear();
    }
  }

  /** Notes that a client has lost its server, which may have lost the leader. */
  void cutOff(SimSession session) {
    Known known = sessions.get(session.getSessionId());
    if (known != null) {
      known.unreportedNanos = random.nextBoolean() ? random.nextLong(reportNanos()) : 0;
      lapse(known);
    }
  }

  /** Ends a session that was not reported for its time; else looks again then. */
  private void lapse(Known known) {
    SimHost host = known.client.host();
    boolean staysAlive = known.client.isConnected() && host.isRunning() && !host.isDisturbed();
    long dueNanos = heardNanos(known) + sessionMillis * 1_000_000L;
    if (known.isOver || staysAlive) {
      return;
    } else if (dueNanos <= now()) {
      expire(known.client.getSessionId());
    } else {
      at(dueNanos, () -> lapse(known));
    }
  }

  /**
   * Returns when the session was last reported to the leader. If its server was cut off from the
   * leader after its latest transaction, it has not reported the latest requests.
   */
  private long heardNanos(Known known) {
    SimSession session = known.client;
    long tellsUntil =
        session.isConnected()
            ? now()
            : Math.max(session.cutNanos(), known.proposedNanos) - known.unreportedNanos;
    Long told = known.touches.floor(tellsUntil);
    return told == null ? known.movedNanos : Math.max(known.movedNanos, told);
  }

  /** Returns the longest time until a server reports a session to the leader. */
  private long reportNanos() {
    return Math.max(sessionMillis * 1_000_000L / 20, 1_000_000_000L);
  }

  /** Ends a session, and the nodes that live as long as it. */
  void expire(long id) {
    Known known = sessions.get(id);
    if (known == null || known.isOver) {
      return;
    }
    known.isOver = true;
    world().trace(() -> "session " + Long.toHexString(id) + " is ended by the leader");
    List<Op> ends = leader.ephemerals(id).stream().map(path -> Op.delete(path, -1)).toList();
    commit(ends, id, null, null, null);
    SimLine line = known.line;
    at(now() + latencyNanos(known.client), line::close);
  }

  // ------------------------------------------------------------- the leader

  /** Puts a writing into the order of all writings. */
  void propose(SimReplica from, SimLine line, SimRequest request) {
    Known known = sessions.get(line.session.getSessionId());
    if (known == null || known.isOver) {
      from.refuse(line, request, () -> request.failed().accept(Code.SESSIONEXPIRED));
    } else if (known.line.server != from) {
      line.close(); // the client is elsewhere, or does not know that it is: it hears nothing else
      from.refuse(line, request, () -> {});
    } else {
      known.proposedNanos = now();
      List<Op> ops = request.ops() == null ? List.of() : request.ops();
      commit(ops, line.session.getSessionId(), from, line, request);
    }
  }

  private void commit(
      List<Op> ops,
      long session,
      @Nullable SimReplica from,
      @Nullable SimLine line,
      @Nullable SimRequest request) {
    long millis = BEGINNING_MILLIS + now() / 1_000_000;
    SimTree.Txn txn = new SimTree.Txn(++zxid, millis, session, ops);
    SimTree.Outcome outcome = leader.apply(txn);
    world()
        .trace(
            () ->
                "leader "
                    + Long.toHexString(txn.zxid())
                    + " for "
                    + Long.toHexString(session)
                    + ": "
                    + request
                    + " -> "
                    + outcome.code());
    for (SimReplica server : servers) {
      server.commit(txn, server == from ? line : null, server == from ? request : null);
    }
    for (SimTree.Change change : outcome.changes()) {
      String above = RequiredPermission.parent(change.path());
      if (change.type() == EventType.NodeDeleted && leader.isDeserted(above)) {
        at(now() + random.nextInt(removalMillis) * 1_000_000L, () -> removeDeserted(above));
      }
    }
  }

  /** Removes a container that has become empty, as the leader does from time to time. */
  private void removeDeserted(String path) {
    if (leader.isDeserted(path)) {
      commit(List.of(Op.delete(path, -1)), 0, null, null, null);
    }
  }
}
