package io.lockkeeper.engine.runtime;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.ClientInfo;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.engine.policy.ClientConfig;
import io.lockkeeper.engine.policy.ClientPolicy;
import io.lockkeeper.engine.policy.Names;
import io.lockkeeper.engine.policy.Policy;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Probe;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Provides one client with what it runs on: the store, the clock, the ticker, the threads for user
 * code, and a place for failures. Knows nothing of locks.
 */
public final class ClientRuntime {

  private final ClientInfo self;
  private final ClientConfig config;
  private final Environment environment;
  private final Store store;
  private final ClientPolicy policy;
  private final FailureLog failures;
  private final ClientLog log;
  private final Scheduler scheduler;
  private final Ticker ticker;
  private final EventBus events;
  private final Observers observers;
  private final Callbacks callbacks;

  /** Set once, before anything is closed: nothing is acquired after it has been seen. */
  private volatile boolean closed;

  /** How often the clock had doubts when everything was asked the last time. */
  private volatile long heededDoubts;

  /**
   * Starts the threads of a client whose store is open.
   *
   * @param scan does what is due and returns when something is due next
   */
  public ClientRuntime(
      ClientInfo self,
      ClientConfig config,
      Environment environment,
      Store store,
      LongSupplier scan) {
    this.self = self;
    this.config = config;
    this.environment = environment;
    this.store = store;
    this.failures = new FailureLog(environment.probe());
    this.log = new ClientLog(self, store, this::now, this::isClosed, this::execute);
    this.observers = new Observers(config.observers(), failures::report);
    this.policy =
        new ClientPolicy(
            config, environment, store::traits, Timings.DEFAULT, store::describe, log::isSilent);
    this.scheduler = environment.schedulers().get();
    try {
      this.ticker = new Ticker(environment.time(), scheduler, scan);
      this.events =
          new EventBus(LeaseLog.with(config.listeners()), this::execute, failures::report);
      this.callbacks = new Callbacks(config.executor(), environment.callbacks(), failures::report);
    } catch (Throwable failure) { // there may be no thread to be had
      scheduler.close();
      throw failure;
    }
  }

  /** Returns who a new client is. */
  public static ClientInfo self(ClientConfig config, Environment environment) {
    String id = Long.toUnsignedString(environment.random().nextLong(), 36);
    return new ClientInfo(id, config.clientName(), Names.host(), ProcessHandle.current().pid());
  }

  /** Opens the store of a client. */
  public static Store open(
      ClientInfo self, ClientConfig config, Environment environment, StoreFactory factory) {
    StoreContext context =
        new StoreContext(
            self, config.namespace(), Timings.DEFAULT, environment, config.lease().toMillis());
    return switch (config.connecting()) {
      case AT_ONCE -> StoreOpening.open(factory, context);
      case LATER -> new LaterStore(factory, context, false);
      case AT_FIRST_USE -> new LaterStore(factory, context, true);
    };
  }

  // ---------------------------------------------------------------- who and where

  /** Returns the client's id. */
  public String clientId() {
    return self.id();
  }

  /** Returns the client's name for people. */
  public String clientName() {
    return config.clientName();
  }

  /** Returns where the client's resources are. */
  public String place() {
    return store.describe() + ", namespace '" + config.namespace() + "'";
  }

  /** Returns the store. */
  public Store store() {
    return store;
  }

  /**
   * Returns the exception for a wait that ran out: the message, and why the store grants nothing.
   */
  public AcquireTimeoutException timedOut(String message, @Nullable Throwable cause) {
    return new AcquireTimeoutException(
        message + store.quarantine().map(why -> ": " + why.message()).orElse(""), cause);
  }

  /** Returns what the client chooses by. */
  public Policy policy() {
    return policy;
  }

  // ---------------------------------------------------------------- time

  /** Returns the time. */
  public long now() {
    return environment.time().nanos();
  }

  /** Returns the scheduler. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** Returns a random number from 0 to below the bound. */
  public long random(long bound) {
    return environment.random().nextLong(bound);
  }

  /** Sees to it that a scan runs by {@code dueNanos}, or at once if the clock has doubts. */
  public void scanBy(long dueNanos) {
    try {
      ticker.by(isInDoubt() ? now() : dueNanos);
    } catch (Throwable failure) { // the next call tries again; this caller may hold something
      reportFailure("no scan could be planned", failure);
    }
  }

  /**
   * Returns whether the clock may have missed some time, and the store has not been asked since.
   */
  public boolean isInDoubt() {
    return environment.time().doubts() != heededDoubts;
  }

  /** Returns whether the clock has doubts that nobody has heeded, and counts them as heeded. */
  public boolean heedDoubts() {
    long doubts = environment.time().doubts();
    boolean areNew = doubts != heededDoubts;
    if (areNew) {
      heededDoubts = doubts;
    }
    return areNew;
  }

  // ---------------------------------------------------------------- user code and failures

  /** Returns the way to the listeners. */
  public EventBus events() {
    return events;
  }

  /** Returns the way to the observers. */
  public Observers observers() {
    return observers;
  }

  /** Returns the probe that is notified of transitions. */
  public Probe probe() {
    return environment.probe();
  }

  /** Runs user code. */
  public void execute(Runnable task) {
    callbacks.execute(task);
  }

  /** Returns what runs user code. */
  public Executor executor() {
    return this::execute;
  }

  /** Runs a task that concerns one name; what it throws is logged and goes no further. */
  public void guarded(String name, Runnable task) {
    FailureLog.guarded(failures::report, name, task);
  }

  /** Returns what logs for operators. */
  public ClientLog log() {
    return log;
  }

  /** Logs that something failed. Throws nothing itself. */
  public void reportFailure(String what, Throwable failure) {
    failures.report(what, failure);
  }

  // ---------------------------------------------------------------- close

  /** Returns whether the client closes or has been closed. */
  public boolean isClosed() {
    return closed;
  }

  /** Fails if the client closes or has been closed. */
  public void checkOpen(String name) {
    if (closed) {
      throw new LockkeeperClosedException("'" + name + "': this client is closed");
    }
  }

  /** Notes that the client closes: nothing is acquired any more. */
  public void beginToClose() {
    closed = true;
  }

  /** Ends the scheduler, the store and, when they have nothing left to run, the threads. */
  public void close() {
    guarded("closing", scheduler::close);
    guarded("closing", store::close);
    callbacks.close();
  }

  /** Ends the scheduler and the threads, but not the store: nothing has been begun yet. */
  public void stop() {
    guarded("closing", scheduler::close);
    callbacks.close();
  }
}
