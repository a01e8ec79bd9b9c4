package io.lockkeeper.engine;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** What users know as a lease: a hold, and the way to its gate. */
class LeaseView implements Lease {

  final Engine engine;
  final Gate gate;
  final Hold hold;

  /** Whether a release waits for the store. */
  private final boolean confirms;

  /** Whether {@link #release()} has already told the holder about the loss. */
  private final AtomicBoolean lossTold = new AtomicBoolean();

  LeaseView(Engine engine, Gate gate, Hold hold, boolean confirms) {
    this.engine = engine;
    this.gate = gate;
    this.hold = hold;
    this.confirms = confirms;
  }

  @Override
  public String name() {
    return gate.name;
  }

  @Override
  public long token() {
    return hold.token;
  }

  @Override
  public boolean isValid() {
    boolean valid = hold.isValid(engine.now());
    if (engine.isInDoubt()) {
      engine.scanBy(Margins.NEVER);
    }
    return valid;
  }

  @Override
  public Duration remaining() {
    long now = engine.now();
    return hold.isValid(now)
        ? Duration.ofNanos(Math.max(0, hold.validUntilNanos() - now))
        : Duration.ZERO;
  }

  @Override
  public void onLost(Consumer<? super LeaseLost> action) {
    Objects.requireNonNull(action, "action");
    CompletionStage<Void> told = gate.lossOf(hold).thenAcceptAsync(action, engine.executor());
    told.exceptionally(
        failure -> {
          engine.reportFailure("'" + name() + "': an onLost action failed", failure);
          return null;
        });
  }

  @Override
  public CompletionStage<LeaseLost> lost() {
    return gate.lossOf(hold).minimalCompletionStage();
  }

  @Override
  public void renew(Duration lease) {
    AcquireOptions.defaults().withFixedLease(lease); // checks its bounds
    CompletableFuture<Void> done = new CompletableFuture<>();
    if (!gate.renew(new ManualRenewal(hold, lease.toNanos(), done))) {
      throw over();
    }
    StoreCalls.await(done);
  }

  @Override
  public void release() {
    if (gate.release(hold)) {
      if (confirms) {
        gate.awaitConfirmed(hold);
      }
    } else if (isLossNews()) {
      throw over();
    }
  }

  @Override
  public CompletionStage<Void> releaseAsync() {
    if (!gate.release(hold) && isLossNews()) {
      return CompletableFuture.failedStage(over());
    }
    return gate.confirmation(hold)
        .thenRunAsync(() -> {}, engine.executor())
        .minimalCompletionStage();
  }

  private boolean isLossNews() {
    return hold.state == Hold.State.LOST && lossTold.compareAndSet(false, true);
  }

  @Override
  public void close() {
    release();
  }

  final RuntimeException over() {
    return hold.loss != null
        ? new LeaseLostException(hold.loss)
        : new IllegalStateException("this lease of '" + gate.name + "' was released");
  }

  @Override
  public String toString() {
    return "lease of '" + gate.name + "' with token " + hold.token + ", " + hold.state;
  }
}
