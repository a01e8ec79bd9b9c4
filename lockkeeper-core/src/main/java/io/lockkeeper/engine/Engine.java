package io.lockkeeper.engine;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.DistributedBarrier;
import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.DistributedCounter;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HolderReport;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.LeaderOptions;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.ReadWriteOptions;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.SharedValue;
import io.lockkeeper.compose.Election;
import io.lockkeeper.compose.Host;
import io.lockkeeper.compose.Placed;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.HintListener;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Probe;
import io.lockkeeper.spi.ResourceKind;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One client of one store: its gates, its pulse, and the threads on which user code runs. */
public final class Engine implements Lockkeeper, Placed {

  private static final Logger LOG = System.getLogger("io.lockkeeper");
  private static final long CLOSE_NANOS = 5_000_000_000L;
  private static final long BROKEN_GATE_NANOS = 1_000_000_000L;

  /**
   * How long the store keeps the news for a member of a barrier that all have come, at least. It
   * keeps nobody out, and a member that finds it gone would count a second time.
   */
  private static final long BARRIER_LEASE_NANOS = 60_000_000_000L;

  private final String clientId;
  private final EngineConfig config;
  private final Environment environment;
  private final Scheduler scheduler;
  private final Store store;
  private final ClientPolicy policy;
  private final Callbacks callbacks;
  private final EventBus events;
  private final Pulse pulse;
  private final EngineHost host;

  /** One gate per resource in use; a gate leaves when it has been idle for a while. */
  private final ConcurrentHashMap<String, Gate> gates = new ConcurrentHashMap<>();

  private final Cells cells;

  private final DeadlockWatch deadlocks;

  private final Inspector inspector = new Inspector(this);

  private final Losses losses = new Losses();

  /** Set in a thread that is emptying the outbox of a gate: it must not wait for one. */
  private final ThreadLocal<@Nullable Boolean> sending = new ThreadLocal<>();

  private final AtomicBoolean closing = new AtomicBoolean();

  /** Set once, before the gates are closed: no gate lets anybody in after it has seen this. */
  private volatile boolean closed;

  /** How often the clock had doubts when everything was asked the last time. */
  private volatile long heededDoubts;

  /** The gates whose retreats the store has still to confirm while this client closes. */
  private final Set<Gate> unquiet = ConcurrentHashMap.newKeySet();

  private final CountDownLatch quiet = new CountDownLatch(1);

  /** Opens a client. */
  public static Lockkeeper open(
      EngineConfig config, Environment environment, StoreFactory factory) {
    String clientId = Long.toUnsignedString(environment.random().nextLong(), 36);
    Store store =
        factory.open(
            new StoreContext(
                new ClientInfo(
                    clientId, config.clientName(), Names.host(), ProcessHandle.current().pid()),
                config.namespace(),
                Timings.DEFAULT,
                environment));
    Engine engine = null;
    try {
      engine = new Engine(clientId, config, environment, store);
      store.listen(engine.new Hints());
      return engine;
    } catch (Throwable failure) { // a process that is out of threads, for one
      if (engine == null) {
        store.close();
      } else {
        engine.close();
      }
      throw failure;
    }
  }

  private Engine(String clientId, EngineConfig config, Environment environment, Store store) {
    this.clientId = clientId;
    this.config = config;
    this.environment = environment;
    this.store = store;
    this.scheduler = environment.schedulers().get();
    this.policy =
        new ClientPolicy(config, environment, store.traits(), Timings.DEFAULT, store.describe());
    this.events = new EventBus(config.listeners(), this::execute, this::reportFailure);
    this.cells = new Cells(this);
    this.pulse = new Pulse(environment.time(), scheduler, this::scan);
    this.host = new EngineHost(this, environment, scheduler);
    this.deadlocks = new DeadlockWatch(this, scheduler, config);
    this.callbacks = callbacks(config, environment);
  }

  /** Called last: what is begun before it ends if there is no thread to be had. */
  private Callbacks callbacks(EngineConfig settings, Environment machine) {
    try {
      return new Callbacks(settings.executor(), machine.callbacks(), this::reportFailure);
    } catch (Throwable failure) {
      scheduler.close();
      throw failure;
    }
  }

  // ---------------------------------------------------------------- locks

  @Override
  public DistributedLock lock(String name, LockOptions options) {
    return lock(name, options, Waiter.Order.SHARED);
  }

  @Override
  public DistributedLock fairLock(String name, LockOptions options) {
    return lock(name, options, Waiter.Order.STRICT);
  }

  private DistributedLock lock(String name, LockOptions options, Waiter.Order order) {
    Names.check("lock name", name);
    long leaseNanos = options.lease().orElse(config.lease()).toNanos();
    long idleNanos =
        options.confirmsRelease() ? 0 : options.idleLease().map(Duration::toNanos).orElse(0L);
    if (idleNanos > 0 && order == Waiter.Order.SHARED) {
      leaseNanos = Math.min(leaseNanos, idleNanos);
    }
    Requests requests =
        new Requests(this, name, name, order, leaseNanos, options.localPasses(), idleNanos);
    return new LockView(
        requests,
        LockView.Side.WHOLE,
        Share.EXCLUSIVE,
        options.isReentrant(),
        options.confirmsRelease());
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name, ReadWriteOptions options) {
    Names.check("lock name", name);
    long leaseNanos = options.lease().orElse(config.lease()).toNanos();
    return new ReadWriteView(shared(ResourceKind.READ_WRITE, name, leaseNanos), options);
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits) {
    Names.check("semaphore name", name);
    if (permits < 1) {
      throw new IllegalArgumentException("permits must be positive, was " + permits);
    }
    return new SemaphoreView(
        shared(ResourceKind.SEMAPHORE, name, config.lease().toNanos()), permits);
  }

  @Override
  public DistributedBarrier barrier(String name, int parties) {
    Names.check("barrier name", name);
    if (parties < 1) {
      throw new IllegalArgumentException("parties must be positive, was " + parties);
    }
    long leaseNanos = Math.max(config.lease().toNanos(), BARRIER_LEASE_NANOS);
    return new BarrierView(shared(ResourceKind.BARRIER, name, leaseNanos), parties);
  }

  private Requests shared(ResourceKind kind, String name, long leaseNanos) {
    return new Requests(this, kind.id(name), name, Waiter.Order.STRICT, leaseNanos, 0, 0);
  }

  // ---------------------------------------------------------------- cells

  @Override
  public DistributedCounter counter(String name) {
    return new CounterView(this, cell(CellKind.COUNTER, "counter name", name));
  }

  @Override
  public SharedValue sharedValue(String name) {
    return new SharedValueView(this, cell(CellKind.VALUE, "shared value name", name));
  }

  @Override
  public DistributedCountDownLatch countDownLatch(String name) {
    return new LatchView(this, cell(CellKind.LATCH, "latch name", name));
  }

  private static CellId cell(CellKind kind, String what, String name) {
    return new CellId(kind, Names.check(what, name));
  }

  // ---------------------------------------------------------------- what is made of locks

  @Override
  public LeaderElection leaderElection(String name, LeaderOptions options) {
    Names.check("election name", name);
    long leaseNanos = options.lease().orElse(config.lease()).toNanos();
    Requests requests =
        new Requests(this, Election.resource(name), name, Waiter.Order.STRICT, leaseNanos, 0, 0);
    return new Election(
        name, host, new LockView(requests, LockView.Side.WHOLE, Share.EXCLUSIVE, true, false));
  }

  // ---------------------------------------------------------------- looking at it all

  @Override
  public List<ResourceReport> inspect() {
    return inspector.all();
  }

  @Override
  public ResourceReport inspect(ResourceReport.Kind kind, String name) {
    return inspector.one(kind, name);
  }

  @Override
  public boolean forceRelease(HolderReport holder) {
    return inspector.forceRelease(holder);
  }

  Inspector inspector() {
    return inspector;
  }

  @Override
  public Host host() {
    return host;
  }

  @Override
  public String place() {
    return store.describe() + ", namespace '" + config.namespace() + "'";
  }

  @Override
  public String clientId() {
    return clientId;
  }

  @Override
  public String clientName() {
    return config.clientName();
  }

  // ---------------------------------------------------------------- for the gates

  /** Returns the gate of a resource; it may retire at any moment, and then says so. */
  Gate gate(String resource) {
    Gate gate = gates.get(resource);
    return gate != null ? gate : gates.computeIfAbsent(resource, absent -> new Gate(absent, this));
  }

  /** Replaces a gate that has retired. */
  Gate gateAfter(Gate retired) {
    gates.remove(retired.resource, retired);
    return gate(retired.resource);
  }

  /** Returns the gate of a resource if there is one. */
  @Nullable Gate existingGate(String resource) {
    return gates.get(resource);
  }

  long now() {
    return environment.time().nanos();
  }

  Probe probe() {
    return environment.probe();
  }

  Store store() {
    return store;
  }

  Policy policy() {
    return policy;
  }

  Pulse pulse() {
    return pulse;
  }

  EventBus events() {
    return events;
  }

  Cells cells() {
    return cells;
  }

  Losses losses() {
    return losses;
  }

  /** Returns whether this thread carries out what a gate has decided. */
  boolean isSending() {
    return sending.get() != null;
  }

  /**
   * Notes that this thread carries out what a gate has decided; returns false if it did already.
   */
  boolean beginSending() {
    if (isSending()) {
      return false;
    }
    sending.set(true);
    return true;
  }

  void endSending() {
    sending.remove();
  }

  /** Asks who holds a resource, behind all that this client has decided about it before. */
  Inspection inspect(String name, String resource) {
    return StoreCalls.ask(this, name, () -> asked(resource).store.inspect(resource));
  }

  /** Sees to it that what this client has decided about a resource is sent before a question. */
  Engine asked(String resource) {
    Gate gate = existingGate(resource);
    if (gate != null) {
      gate.awaitSent();
    }
    return this;
  }

  DeadlockWatch deadlocks() {
    return deadlocks;
  }

  Collection<Gate> gates() {
    return gates.values();
  }

  boolean isClosed() {
    return closed;
  }

  /** Runs user code. */
  void execute(Runnable task) {
    callbacks.execute(task);
  }

  Executor executor() {
    return this::execute;
  }

  /** Has something done that concerns one name; what it throws is logged and goes no further. */
  void guarded(String name, Runnable task) {
    StoreCalls.guarded(this::reportFailure, name, task);
  }

  /** Logs that something failed. Throws nothing itself. */
  void reportFailure(String what, Throwable failure) {
    try {
      LOG.log(Level.WARNING, what, failure);
      environment.probe().failed(what, failure);
    } catch (Throwable unloggable) { // out of memory, for one
      if (unloggable != failure) {
        failure.addSuppressed(unloggable);
      }
    }
  }

  /** Tells an asynchronous caller; a grant that nobody wants any more is given back. */
  void complete(Gate gate, Waiter waiter) {
    Promise<?> promise = waiter.promise;
    if (promise == null) {
      return;
    }
    Hold hold = waiter.hold;
    if (hold == null) {
      promise.fail(Failures.of(gate.name, waiter));
      return;
    }
    hold.heard = true;
    boolean isKept = false;
    try {
      isKept = promise.keep(gate, hold);
    } finally {
      if (!isKept) {
        gate.release(hold);
      }
    }
  }

  // ---------------------------------------------------------------- pulse

  private long scan() {
    heedDoubts();
    Batch batch = new Batch();
    long due = Margins.NEVER;
    try {
      for (Gate gate : gates.values()) {
        due = Math.min(due, tickIfDue(gate, batch));
      }
    } finally {
      batch.send(store, now(), this::reportFailure); // what is in it counts as sent
    }
    due = Math.min(due, losses.sweep(now()));
    return Math.min(due, cells.scan());
  }

  /** Has a gate do what is due there; returns when something is due next. */
  private long tickIfDue(Gate gate, Batch batch) {
    try {
      if (gate.dueNanos() <= now() && !gate.tick(batch)) {
        gates.remove(gate.resource, gate);
      }
      return gate.dueNanos();
    } catch (Throwable broken) { // an error too: the others are to be renewed
      reportFailure("'" + gate.name + "': cannot do what is due", broken);
      return now() + BROKEN_GATE_NANOS;
    }
  }

  /** Has a scan run by {@code dueNanos}, or at once if the clock has doubts. */
  void scanBy(long dueNanos) {
    try {
      pulse.by(isInDoubt() ? now() : dueNanos);
    } catch (Throwable failure) { // whoever comes next tries again; this caller may hold something
      reportFailure("no scan could be planned", failure);
    }
  }

  /**
   * Returns whether the clock may have missed some time, and the store has not been asked since.
   */
  boolean isInDoubt() {
    return environment.time().doubts() != heededDoubts;
  }

  /** Asks the store about everything if the clock may have missed some time. */
  private void heedDoubts() {
    long doubts = environment.time().doubts();
    if (doubts != heededDoubts) {
      heededDoubts = doubts;
      LOG.log(Level.INFO, "the clock may have missed some time: {0} is asked", store.describe());
      reconnected();
    }
  }

  /** Has everything asked again: messages may have been missed, and what failed may work again. */
  private void reconnected() {
    gates.values().forEach(gate -> guarded(gate.name, gate::reconnected));
    cells.reconnected();
  }

  // ---------------------------------------------------------------- close

  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    closed = true;
    guarded("closing", deadlocks::close);
    List<Gate> all = List.copyOf(gates.values());
    unquiet.addAll(all); // all of them first: the last one to get quiet ends the wait
    for (Gate gate : all) {
      guarded(gate.name, () -> close(gate));
    }
    guarded("closing", cells::close);
    guarded("closing", this::awaitQuiet);
    all.forEach(gate -> guarded(gate.name, gate::abandonConfirmations));
    guarded("closing", host::close);
    guarded("closing", scheduler::close);
    guarded("closing", store::close);
    callbacks.close();
  }

  private void close(Gate gate) {
    if (!gate.close()) {
      quiet(gate);
    }
  }

  /** Notes that the store has confirmed all that a closed gate gave up. */
  void quiet(Gate gate) {
    if (unquiet.remove(gate) && unquiet.isEmpty()) {
      quiet.countDown();
    }
  }

  private void awaitQuiet() {
    long end = now() + CLOSE_NANOS;
    if (!unquiet.isEmpty()
        && !Uninterruptibly.await(this, end, nanos -> quiet.await(nanos, TimeUnit.NANOSECONDS))) {
      LOG.log(
          Level.WARNING,
          "closed before {0} confirmed every release; what is left ends with its lease",
          store.describe());
    }
  }

  void checkOpen(String name) {
    if (closed) {
      throw new LockkeeperClosedException("'" + name + "': this client is closed");
    }
  }

  /** What the store pushes, brought to the gate that it concerns. */
  private final class Hints implements HintListener {

    @Override
    public void granted(String resource, Grant grant) {
      tell(resource, gate -> gate.pushed(grant));
    }

    @Override
    public void wanted(String resource) {
      tell(resource, Gate::wanted);
    }

    @Override
    public void revoked(String resource) {
      tell(resource, Gate::revoked);
    }

    private void tell(String resource, Consumer<Gate> news) {
      Gate gate = gates.get(resource);
      if (gate != null) {
        guarded(gate.name, () -> news.accept(gate));
      }
    }

    @Override
    public void cellChanged(CellId cell) {
      guarded(
          cell.name(),
          () -> {
            if (cell.kind() == CellKind.NOTES) {
              deadlocks.notesChanged();
            } else {
              cells.changed(cell);
            }
          });
    }

    @Override
    public void reconnected() {
      Engine.this.reconnected();
    }
  }
}
