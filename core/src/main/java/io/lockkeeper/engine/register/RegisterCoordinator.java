package io.lockkeeper.engine.register;

import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.Coordinator;
import io.lockkeeper.engine.runtime.Draining;
import io.lockkeeper.engine.runtime.SerialExecutor;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.engine.state.Receiver;
import io.lockkeeper.engine.state.RegisterBatch;
import io.lockkeeper.engine.state.RegisterChange;
import io.lockkeeper.engine.state.RegisterEffects;
import io.lockkeeper.engine.state.RegisterState;
import io.lockkeeper.engine.state.RegisterWatcher;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.Outcome;
import org.jspecify.annotations.Nullable;

/** Coordinates what one client does with one register: a {@link RegisterState}. */
public final class RegisterCoordinator extends Coordinator {

  private static final Outcome<CellUpdated> TOO_FEW =
      Outcome.unknown(new IllegalStateException("too few answers"));

  private final CellId id;
  private final RegisterState state;
  private final SerialExecutor outbox;

  RegisterCoordinator(
      CellId id, ClientRuntime runtime, Draining<Coordinator> draining, long phaseNanos) {
    super(id.name(), runtime, draining);
    this.id = id;
    this.outbox = new SerialExecutor("'" + id.name() + "'", Runnable::run, runtime::reportFailure);
    this.state = new RegisterState(id, runtime.policy(), new Effects(), phaseNanos, runtime.now());
  }

  CellId id() {
    return id;
  }

  // ---------------------------------------------------------------- callers

  /** Lets a change in; returns false if this coordinator has retired and another must be asked. */
  boolean change(RegisterChange change) {
    return enter(now -> state.change(change, now));
  }

  /** Lets a question in; returns false if this coordinator has retired. */
  boolean read(Receiver<CellState> reader) {
    return enter(now -> state.read(reader, now));
  }

  /** Lets a watcher in; returns false if this coordinator has retired. */
  boolean watch(RegisterWatcher watcher) {
    return enter(now -> state.watch(watcher, now));
  }

  /** Takes a watcher out; returns false if it was not there any more. */
  public boolean leave(RegisterWatcher watcher) {
    return step(now -> state.leave(watcher, now));
  }

  /** Returns why the store has not answered the last question, or null if it has. */
  public @Nullable Throwable lastFailure() {
    return step(now -> state.lastFailure());
  }

  // ---------------------------------------------------------------- store

  void changed() {
    change(state::changed);
  }

  @Override
  public void reconnected() {
    change(state::reconnected);
  }

  private void readAnswered(long number, Outcome<CellState> outcome) {
    change(now -> state.readAnswered(number, outcome, now));
  }

  // ---------------------------------------------------------------- time

  /** Does what is due, and adds a read that is; returns false if this coordinator has retired. */
  boolean tick(RegisterReads reads) {
    return tick(
        now -> {
          state.retryIfDue(now);
          CellRead due = state.takeReadIfDue(now);
          if (due != null) {
            long number = state.readNumber();
            reads.add(due, outcome -> readAnswered(number, outcome));
          }
          return state.isRetirable(now);
        });
  }

  // ---------------------------------------------------------------- the state

  @Override
  protected long stateDueNanos() {
    return isClosed() ? Instants.NEVER : state.dueNanos();
  }

  @Override
  protected boolean isStateDrained() {
    return state.isDrained();
  }

  @Override
  protected void closeState(long now) {
    state.close(closedException("this client was closed"), now);
  }

  @Override
  protected void drainOutbox() {
    outbox.drain();
  }

  // ---------------------------------------------------------------- effects

  private void updateAnswered(RegisterBatch batch, Outcome<CellUpdated> outcome) {
    Outcome<CellUpdated> whole = isWhole(batch, outcome) ? outcome : TOO_FEW;
    change(now -> state.updateAnswered(batch, whole, now));
  }

  private static boolean isWhole(RegisterBatch batch, Outcome<CellUpdated> outcome) {
    return !(outcome instanceof Outcome.Answered<CellUpdated> answered)
        || answered.answer().results().size() == batch.changes().size();
  }

  /** Carries out what the state wants done, in order. */
  private final class Effects implements RegisterEffects {

    @Override
    public void update(RegisterBatch batch) {
      outbox.add(
          () ->
              StoreCalls.tell(
                  runtime(),
                  name(),
                  () -> runtime().store().update(batch.update()),
                  outcome -> updateAnswered(batch, outcome)));
    }

    @Override
    public void read(CellRead read, long number) {
      outbox.add(
          () -> {
            RegisterReads reads = new RegisterReads();
            reads.add(read, outcome -> readAnswered(number, outcome));
            reads.send(runtime());
          });
    }

    @Override
    public void tell(Runnable news) {
      outbox.add(news);
    }
  }
}
