package io.lockkeeper.engine.view;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.ClientInfo;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.compose.Host;
import io.lockkeeper.compose.SerialQueue;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.SerialExecutor;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Scheduler;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Offers a client to those who build on its locks. */
final class ClientHost implements Host {

  private final ClientRuntime runtime;
  private final AdminView admin;

  /** The tasks to run later; at closing they run at once. */
  private final Set<Later> pending = ConcurrentHashMap.newKeySet();

  ClientHost(ClientRuntime runtime, AdminView admin) {
    this.runtime = runtime;
    this.admin = admin;
  }

  @Override
  public long nanos() {
    return runtime.now();
  }

  @Override
  public Scheduler.Cancellable later(Runnable task, long delayNanos) {
    Later later = new Later(task);
    pending.add(later);
    Scheduler.Cancellable timer = schedule(later, delayNanos);
    if (runtime.isClosed()) {
      later.run(); // the scheduler may have stopped already
    }
    return () -> {
      pending.remove(later);
      timer.cancel();
    };
  }

  /** Plans a task; runs it at once if it cannot be planned, since something rests on it. */
  private Scheduler.Cancellable schedule(Later later, long delayNanos) {
    try {
      return runtime.scheduler().schedule(later, delayNanos);
    } catch (Throwable failure) { // out of memory, for one
      runtime.reportFailure("a task could not be planned", failure);
      later.run();
      return () -> {};
    }
  }

  /** Runs what waits for its time. */
  void close() {
    pending.forEach(Later::run);
  }

  @Override
  public AcquireTimeoutException timedOut(String message) {
    return runtime.timedOut(message, null);
  }

  @Override
  public void execute(Runnable task) {
    runtime.execute(task);
  }

  @Override
  public SerialQueue serialQueue(String owner) {
    SerialExecutor tasks = new SerialExecutor(owner, this::execute, this::reportFailure);
    return new SerialQueue() {
      @Override
      public void add(Runnable task) {
        tasks.add(task);
      }

      @Override
      public void drain() {
        tasks.drain();
      }
    };
  }

  @Override
  public long random(long bound) {
    return runtime.random(bound);
  }

  @Override
  public long patienceNanos() {
    return runtime.policy().patienceNanos();
  }

  @Override
  public boolean isClosed() {
    return runtime.isClosed();
  }

  @Override
  public void reportFailure(String what, Throwable failure) {
    runtime.reportFailure(what, failure);
  }

  @Override
  public Optional<Holder> holder(ResourceKind kind, String name) {
    runtime.checkOpen(name);
    Inspection inspection =
        StoreCalls.ask(runtime, name, () -> runtime.store().inspect(new ResourceId(kind, name)));
    return Optional.ofNullable(inspection.holder()).map(holder -> holder(name, holder));
  }

  private Holder holder(String name, Inspection.Holder holder) {
    String id = holder.clientId();
    ClientInfo client = admin.clients(name, Set.of(id)).get(id);
    return new Holder(id, client == null ? null : client.name(), holder.token());
  }

  /** Runs a task at most once. */
  private final class Later implements Runnable {

    private final Runnable task;

    Later(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (pending.remove(this)) {
        runtime.execute(task);
      }
    }
  }
}
