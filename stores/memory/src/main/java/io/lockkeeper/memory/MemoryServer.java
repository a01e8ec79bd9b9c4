package io.lockkeeper.memory;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.TimeSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server of a store inside one process: it has the resources of many clients, makes each
 * operation one atomic step, and pushes notifications.
 *
 * <p>One lock guards everything. No code of anybody else runs under it except the readers of the
 * journal; notifications are delivered on the calling thread after it is free. Time is what the
 * given source says, and nothing happens by itself: an expired grant is noticed by the next
 * operation that passes.
 *
 * <p>A resource that nobody holds or waits for is forgotten as soon as the clock alone makes sure
 * that its tokens keep growing, so nothing is left behind by names that come and go.
 *
 * <p>The methods besides {@link #factory()} are for tests and simulations.
 *
 * <p>This file is long because each operation of the store has a method here.
 */
public final class MemoryServer {

  private static final int SWEEP_BATCH = 4;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final Map<String, MemoryServer> NAMED = new ConcurrentHashMap<>();

  private record Key(String namespace, ResourceId resource) {}

  private record ClientKey(String namespace, String clientId) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final TimeSource time;
  private final String description;
  private final long originNanos;

  // All below is guarded by lock.
  private final Map<Key, Resource> resources = new HashMap<>();
  private final CellServer cells = new CellServer();
  private final Map<String, MemoryStore> clients = new HashMap<>();
  private final Journal journal = new Journal();

  /** The clients that have not closed, by namespace and id; the dead among them too. */
  private final Map<ClientKey, ClientInfo> names = new HashMap<>();

  /** Idle resources whose tokens are ahead of the clock: to be forgotten later. */
  private final Deque<Key> lingering = new ArrayDeque<>();

  private Predicate<? super Push> dropped = notification -> false;
  private boolean reachable = true;

  /** Creates an empty server whose clock starts now. */
  public MemoryServer(TimeSource time) {
    this(time, null);
  }

  private MemoryServer(TimeSource time, @Nullable String name) {
    this.time = time;
    this.description =
        name == null
            ? "memory of this process, server " + Integer.toHexString(System.identityHashCode(this))
            : "memory:" + name;
    this.originNanos = time.nanos();
  }

  /**
   * Returns the server that all clients in this process share who connect to {@code memory:NAME}.
   * It lives as long as the process, on the process's monotonic clock: its clients may have
   * different ones, and a lease must not end here before it ends at its holder.
   */
  public static MemoryServer named(String name) {
    return NAMED.computeIfAbsent(name, absent -> new MemoryServer(System::nanoTime, absent));
  }

  /** Says which server this is, for people: no two that are in use have the same description. */
  String describe() {
    return description;
  }

  /** Returns the way in for clients. */
  public StoreFactory factory() {
    return this::open;
  }

  /** Returns the server's clock: microseconds, at least 1, never going back. */
  public long micros() {
    return (time.nanos() - originNanos) / NANOS_PER_MICRO + 1;
  }

  /** Returns the ids of the clients that are open and not abandoned. */
  public Set<String> clients() {
    return guarded(() -> Set.copyOf(clients.keySet()));
  }

  /** Returns all that is here, dead and forgettable things included. */
  public List<ResourceState> snapshot() {
    return guarded(
        () -> {
          long now = micros();
          return resources.values().stream().map(resource -> resource.state(now)).toList();
        });
  }

  /** Returns the cells that are there or watched. */
  public List<CellSnapshot> cells() {
    return guarded(() -> cells.snapshot(micros()));
  }

  /** Returns whether nobody holds anything and nobody who is alive waits. */
  public boolean isQuiet() {
    return snapshot().stream().noneMatch(ResourceState::isAlive);
  }

  /**
   * Passes every grant from now on to {@code reader}, in the order in which they are made. It is
   * called under the server's lock and must not call back.
   */
  public void onGrant(Consumer<? super GrantRecord> reader) {
    Objects.requireNonNull(reader, "reader");
    guarded(
        () -> {
          journal.addReader(reader);
          return true;
        });
  }

  /**
   * Forgets everything except the clock and the clients, as an empty server after a restart would.
   * Tokens keep growing because the clock does: it must have moved on by a microsecond per token
   * ever given for a name, which any real restart leaves time for.
   */
  public void flush() {
    guarded(
        () -> {
          resources.clear();
          cells.clear();
          lingering.clear();
          return true;
        });
  }

  /** Loses all notifications from now on, or none. */
  public void dropNotifications(boolean all) {
    dropNotifications(notification -> all);
  }

  /** Loses the notifications that {@code rule} says. It is asked under the server's lock. */
  public void dropNotifications(Predicate<? super Push> rule) {
    Objects.requireNonNull(rule, "rule");
    guarded(
        () -> {
          dropped = rule;
          return true;
        });
  }

  /** Tells every client that its connection was interrupted and is back. */
  public void reconnect() {
    atomically(
        outbox -> {
          clients.keySet().forEach(outbox::reconnected);
          return true;
        });
  }

  /**
   * Cuts all clients off, or lets them in again. While they are cut off nothing is carried out,
   * every outcome is unknown and notifications are lost; afterwards each client hears that it was
   * reconnected.
   */
  public void setReachable(boolean reachable) {
    boolean back =
        guarded(
            () -> {
              boolean changed = reachable && !this.reachable;
              this.reachable = reachable;
              return changed;
            });
    if (back) {
      reconnect();
    }
  }

  /** Cuts one client off for good, as if its process had died. What it has here dies by time. */
  public void abandon(String clientId) {
    MemoryStore store = guarded(() -> clients.get(clientId));
    if (store != null) {
      store.abandon();
    }
  }

  private Store open(StoreContext context) {
    return guarded(
        () -> {
          if (!reachable) {
            throw unreachable();
          }
          MemoryStore store = new MemoryStore(this, context);
          if (clients.putIfAbsent(context.clientId(), store) != null) {
            throw new IllegalStateException("client id in use: " + context.clientId());
          }
          names.put(nameKey(store), context.client());
          return store;
        });
  }

  private static LockkeeperException unreachable() {
    return new StoreUnavailableException("the memory server is set unreachable", null);
  }

  void leave(MemoryStore store) {
    guarded(() -> clients.remove(store.clientId(), store));
  }

  /** Forgets the name of a client that closes in order. */
  void forget(MemoryStore store) {
    guarded(() -> names.remove(nameKey(store)));
  }

  private static ClientKey nameKey(MemoryStore store) {
    return new ClientKey(store.namespace(), store.clientId());
  }

  boolean isReachable() {
    return guarded(() -> reachable);
  }

  /**
   * Carries out one operation on one resource as one atomic step, then delivers its notifications.
   */
  <T> T step(MemoryStore caller, ResourceId id, BiFunction<ServerStep, Resource, T> operation) {
    return atomically(
        outbox -> {
          Key key = new Key(caller.namespace(), id);
          ServerStep step = step(caller, outbox);
          Resource resource =
              resources.computeIfAbsent(
                  key, k -> Resource.create(k.namespace(), k.resource(), journal));
          try {
            return operation.apply(step, resource);
          } finally {
            forgetIfIdle(key, resource, step.nowMicros());
            sweep(step.nowMicros());
          }
        });
  }

  /** Changes a cell; returns null if the update is a straggler. */
  @Nullable List<CellResult> update(MemoryStore caller, CellUpdate update) {
    return atomically(outbox -> cells.update(step(caller, outbox), caller.namespace(), update));
  }

  CellState read(MemoryStore caller, CellRead read) {
    return atomically(outbox -> cells.read(step(caller, outbox), caller.namespace(), read));
  }

  private ServerStep step(MemoryStore caller, Outbox outbox) {
    return new ServerStep(caller.clientId(), caller.timings(), micros(), outbox);
  }

  /** Looks at a resource without touching it. */
  Inspection inspect(MemoryStore caller, ResourceId id) {
    return guarded(
        () -> {
          Resource resource = resources.get(new Key(caller.namespace(), id));
          return resource == null ? Inspection.unknown(id.kind()) : resource.inspect(micros());
        });
  }

  /** Lists the namespaces of resources. */
  List<String> namespaces() {
    return atomically(
        outbox -> resources.keySet().stream().map(Key::namespace).distinct().toList());
  }

  /** Lists what is held or waited for in the caller's namespace. */
  List<ResourceId> resources(MemoryStore caller) {
    return guarded(
        () -> {
          long now = micros();
          return resources.entrySet().stream()
              .filter(entry -> entry.getKey().namespace().equals(caller.namespace()))
              .filter(entry -> !entry.getValue().inspect(now).isIdle())
              .map(entry -> entry.getKey().resource())
              .toList();
        });
  }

  List<CellId> cells(MemoryStore caller) {
    return cells().stream()
        .filter(CellSnapshot::isPresent)
        .filter(cell -> cell.namespace().equals(caller.namespace()))
        .map(CellSnapshot::cell)
        .filter(cell -> cell.kind() != CellKind.NOTES)
        .toList();
  }

  List<ClientInfo> clients(MemoryStore caller, List<String> ids) {
    return guarded(
        () ->
            ids.stream()
                .distinct()
                .map(id -> names.get(new ClientKey(caller.namespace(), id)))
                .filter(Objects::nonNull)
                .toList());
  }

  private void forgetIfIdle(Key key, Resource resource, long nowMicros) {
    if (resource.isForgettable(nowMicros)) {
      resources.remove(key);
    } else if (resource.isIdle()) {
      lingering.add(key);
    }
  }

  private void sweep(long nowMicros) {
    for (int i = 0; i < SWEEP_BATCH && !lingering.isEmpty(); i++) {
      Key key = lingering.remove();
      Resource resource = resources.get(key);
      if (resource != null) {
        if (resource.isForgettable(nowMicros)) {
          resources.remove(key);
        } else if (resource.isIdle()) {
          lingering.add(key);
        }
      }
    }
  }

  private <T extends @Nullable Object> T atomically(Function<Outbox, T> operation) {
    Outbox outbox = new Outbox();
    List<Runnable> deliveries = new ArrayList<>();
    T answer =
        guarded(
            () -> {
              T result = operation.apply(outbox);
              outbox.letters().forEach(letter -> address(letter, deliveries));
              return result;
            });
    deliveries.forEach(Runnable::run);
    return answer;
  }

  private void address(Outbox.Letter letter, List<Runnable> deliveries) {
    Push notification = letter.notification();
    MemoryStore store = clients.get(notification.clientId());
    if (store == null || !reachable || dropped.test(notification)) {
      return;
    }
    NotificationListener listener = store.listener();
    if (listener != null) {
      deliveries.add(() -> deliver(letter, listener));
    }
  }

  private static void deliver(Outbox.Letter letter, NotificationListener listener) {
    switch (letter.notification().kind()) {
      case GRANTED -> listener.granted(letter.resource(), Objects.requireNonNull(letter.grant()));
      case CONTENDED -> listener.contended(letter.resource());
      case REVOKED -> listener.revoked(letter.resource());
      case CELL_CHANGED -> listener.cellChanged(Objects.requireNonNull(letter.cell()));
      case RECONNECTED -> listener.reconnected();
    }
  }

  private <T extends @Nullable Object> T guarded(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
