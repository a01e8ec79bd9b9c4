package io.lockkeeper.engine.view;

import io.lockkeeper.DistributedBarrier;
import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.DistributedCounter;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.LeaderOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLock;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperAdmin;
import io.lockkeeper.Quarantine;
import io.lockkeeper.ReadWriteOptions;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.SharedValue;
import io.lockkeeper.compose.Election;
import io.lockkeeper.compose.Host;
import io.lockkeeper.compose.StoreBound;
import io.lockkeeper.engine.coordination.Requests;
import io.lockkeeper.engine.coordination.ResourceCoordinator;
import io.lockkeeper.engine.policy.ClientConfig;
import io.lockkeeper.engine.policy.Names;
import io.lockkeeper.engine.state.Hold;
import io.lockkeeper.engine.state.Waiter;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.StoreFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Shows users one client of one store, and makes the views of what it has. */
public final class LockkeeperClient implements Lockkeeper, StoreBound {

  /**
   * How long the store keeps the news for a member of a barrier that all have come, at least. It
   * keeps nobody out, and a member that finds it gone would count a second time.
   */
  private static final long BARRIER_LEASE_NANOS = 60_000_000_000L;

  private final ClientCore core;

  /** The default length of a renewed lease. */
  private final Duration lease;

  private final Function<String, LockOptions> lockOptions;
  private final LimitCheck limits;

  private LockkeeperClient(ClientCore core, ClientConfig config) {
    this.core = core;
    this.lease = config.lease();
    this.lockOptions = config.lockOptions();
    this.limits = new LimitCheck(core.runtime());
  }

  /** Opens a client. */
  public static Lockkeeper open(
      ClientConfig config, Environment environment, StoreFactory factory) {
    return new LockkeeperClient(ClientCore.open(config, environment, factory), config);
  }

  /** Returns what it is made of. */
  ClientCore core() {
    return core;
  }

  // ---------------------------------------------------------------- locks

  @Override
  public DistributedLock lock(String name) {
    return lock(name, lockOptions.apply(Names.check("lock name", name)));
  }

  @Override
  public DistributedLock fairLock(String name) {
    return fairLock(name, lockOptions.apply(Names.check("lock name", name)));
  }

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
    long leaseNanos = options.lease().orElse(lease).toNanos();
    long idleNanos =
        options.confirmsRelease() ? 0 : options.retention().map(Duration::toNanos).orElse(0L);
    if (idleNanos > 0 && order == Waiter.Order.SHARED) {
      leaseNanos = Math.min(leaseNanos, idleNanos);
    }
    Requests requests =
        new Requests(
            core.resources(),
            core.parking(),
            ResourceId.lock(name),
            order,
            leaseNanos,
            options.maxLocalHandoffs(),
            idleNanos,
            this::lease);
    return new LockView(
        requests,
        core.host(),
        LockView.Side.WHOLE,
        Share.EXCLUSIVE,
        options.isReentrant(),
        options.confirmsRelease());
  }

  @Override
  public <E extends Exception> boolean once(String name, Duration atLeast, LeaseLock.Action<E> body)
      throws E, InterruptedException {
    DistributedLock lock = lock(name);
    LeaseView.checkRest("atLeast", atLeast);
    Objects.requireNonNull(body, "body");
    Lease lease = tryOnce(lock, atLeast).orElse(null);
    if (lease == null) {
      return false;
    }
    long begin = core.runtime().now();
    try {
      body.run();
    } catch (Throwable failure) {
      try {
        keepClosed(lease, begin, atLeast);
      } catch (RuntimeException | Error more) {
        failure.addSuppressed(more);
      }
      throw failure;
    }
    keepClosed(lease, begin, atLeast);
    return true;
  }

  /**
   * Tries once, and again after a quarantine of the store: until then no client can have run it.
   */
  private Optional<Lease> tryOnce(DistributedLock lock, Duration longest)
      throws InterruptedException {
    long begin = core.runtime().now();
    while (true) {
      Optional<Lease> lease = lock.tryAcquire(Duration.ZERO);
      Optional<Quarantine> quarantine = core.admin().quarantine();
      if (lease.isPresent() || quarantine.isEmpty()) {
        return lease;
      }
      Duration left = longest.minusNanos(core.runtime().now() - begin);
      if (quarantine.get().remaining().compareTo(left) > 0) {
        core.runtime().log().notRun(lock.name(), quarantine.get());
        return Optional.empty();
      }
      lease = lock.tryAcquire(quarantine.get().remaining());
      if (lease.isPresent()) {
        return lease;
      }
    }
  }

  private void keepClosed(Lease lease, long begin, Duration atLeast) {
    Duration rest = atLeast.minusNanos(core.runtime().now() - begin);
    lease.releaseAfter(rest.isNegative() ? Duration.ZERO : rest);
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name, ReadWriteOptions options) {
    Names.check("lock name", name);
    long leaseNanos = options.lease().orElse(lease).toNanos();
    return new ReadWriteView(
        strict(ResourceKind.READ_WRITE_LOCK, name, leaseNanos), core.host(), options);
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits) {
    Names.check("semaphore name", name);
    if (permits < 1) {
      throw new IllegalArgumentException("permits must be positive, was " + permits);
    }
    return new SemaphoreView(
        strict(ResourceKind.SEMAPHORE, name, lease.toNanos()), permits, limits);
  }

  @Override
  public DistributedBarrier barrier(String name, int parties) {
    Names.check("barrier name", name);
    if (parties < 1) {
      throw new IllegalArgumentException("parties must be positive, was " + parties);
    }
    long leaseNanos = Math.max(lease.toNanos(), BARRIER_LEASE_NANOS);
    return new BarrierView(strict(ResourceKind.BARRIER, name, leaseNanos), parties);
  }

  private Requests strict(ResourceKind kind, String name, long leaseNanos) {
    return new Requests(
        core.resources(),
        core.parking(),
        new ResourceId(kind, name),
        Waiter.Order.STRICT,
        leaseNanos,
        0,
        0,
        this::lease);
  }

  /** Makes what observers see of a hold. */
  private Lease lease(ResourceCoordinator coordinator, Hold hold) {
    return coordinator.resource().kind() == ResourceKind.SEMAPHORE
        ? new PermitView(core.runtime(), coordinator, hold)
        : new LeaseView(core.runtime(), coordinator, hold, false);
  }

  // ---------------------------------------------------------------- registers

  @Override
  public DistributedCounter counter(String name) {
    return new CounterView(core.registers(), cell(CellKind.COUNTER, "counter name", name));
  }

  @Override
  public SharedValue sharedValue(String name) {
    return new SharedValueView(core.registers(), cell(CellKind.VALUE, "shared value name", name));
  }

  @Override
  public DistributedCountDownLatch countDownLatch(String name) {
    return new LatchView(core.registers(), cell(CellKind.LATCH, "latch name", name));
  }

  private static CellId cell(CellKind kind, String what, String name) {
    return new CellId(kind, Names.check(what, name));
  }

  // ---------------------------------------------------------------- what is made of locks

  @Override
  public LeaderElection leaderElection(String name, LeaderOptions options) {
    Names.check("election name", name);
    long leaseNanos = options.lease().orElse(lease).toNanos();
    Requests requests = strict(ResourceKind.LEADER_ELECTION, name, leaseNanos);
    return new Election(
        name,
        core.host(),
        new LockView(requests, core.host(), LockView.Side.WHOLE, Share.EXCLUSIVE, true, false));
  }

  @Override
  public LockkeeperAdmin admin() {
    return core.admin();
  }

  @Override
  public Host host() {
    return core.host();
  }

  @Override
  public String place() {
    return core.runtime().place();
  }

  @Override
  public String clientId() {
    return core.runtime().clientId();
  }

  @Override
  public String clientName() {
    return core.runtime().clientName();
  }

  @Override
  public void close() {
    core.close();
  }

  @Override
  public String toString() {
    return "Lockkeeper["
        + place()
        + ", client '"
        + clientName()
        + "' ("
        + clientId()
        + "), "
        + (core.runtime().isClosed() ? "closed" : "open")
        + "]";
  }
}
