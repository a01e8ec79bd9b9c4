package io.lockkeeper.engine;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.compose.Host;
import io.lockkeeper.compose.Mailbox;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Scheduler;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What a client offers to those who build on its locks. */
final class EngineHost implements Host {

  private final Engine engine;
  private final Environment environment;
  private final Scheduler scheduler;

  /** What is to be run later; at closing it is run at once. */
  private final Set<Later> pending = ConcurrentHashMap.newKeySet();

  EngineHost(Engine engine, Environment environment, Scheduler scheduler) {
    this.engine = engine;
    this.environment = environment;
    this.scheduler = scheduler;
  }

  @Override
  public long nanos() {
    return engine.now();
  }

  @Override
  public Scheduler.Cancellable later(Runnable task, long delayNanos) {
    Later later = new Later(task);
    pending.add(later);
    Scheduler.Cancellable timer = scheduler.schedule(later, delayNanos);
    if (engine.isClosed()) {
      later.run(); // the scheduler may have stopped already
    }
    return () -> {
      pending.remove(later);
      timer.cancel();
    };
  }

  /** Runs what waits for its time. */
  void close() {
    pending.forEach(Later::run);
  }

  @Override
  public void execute(Runnable task) {
    engine.execute(task);
  }

  @Override
  public Mailbox mailbox(String owner) {
    return new SerialQueue(owner, this::execute, this::reportFailure);
  }

  @Override
  public long random(long bound) {
    return environment.random().nextLong(bound);
  }

  @Override
  public long patienceNanos() {
    return engine.policy().patienceNanos();
  }

  @Override
  public boolean isClosed() {
    return engine.isClosed();
  }

  @Override
  public void reportFailure(String what, Throwable failure) {
    engine.reportFailure(what, failure);
  }

  @Override
  public Optional<Holder> holder(String name) {
    engine.checkOpen(name);
    Inspection inspection = StoreCalls.ask(engine, name, () -> engine.store().inspect(name));
    return Optional.ofNullable(inspection.holder()).map(holder -> holder(name, holder));
  }

  private Holder holder(String name, Inspection.Holder holder) {
    String id = holder.clientId();
    ClientInfo client = engine.inspector().clients(name, Set.of(id)).get(id);
    return new Holder(id, client == null ? null : client.name(), holder.token());
  }

  /** A task that runs at most once. */
  private final class Later implements Runnable {

    private final Runnable task;

    Later(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (pending.remove(this)) {
        engine.execute(task);
      }
    }
  }
}
