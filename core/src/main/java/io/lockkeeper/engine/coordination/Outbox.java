package io.lockkeeper.engine.coordination;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockEvent;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.SerialExecutor;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.engine.state.Claim;
import io.lockkeeper.engine.state.Completion;
import io.lockkeeper.engine.state.CurrentGrant;
import io.lockkeeper.engine.state.Effects;
import io.lockkeeper.engine.state.Hold;
import io.lockkeeper.engine.state.ManualRenewal;
import io.lockkeeper.engine.state.PendingRelease;
import io.lockkeeper.engine.state.Transition;
import io.lockkeeper.engine.state.Waiter;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.WithdrawAnswer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what the state of one resource wants done. The effects of all threads go through one
 * queue, which one thread at a time empties, so that the store sees the requests of a resource in
 * the order in which the state made them: a withdrawal never overtakes its claim. Adding an effect
 * carries out nothing and so can be done under the coordinator's mutex.
 */
final class Outbox implements Effects {

  /** Takes in what follows from the effects. */
  interface Answers {

    void claimAnswered(Claim claim, long sentNanos, Outcome<ClaimAnswer> outcome);

    void releaseAnswered(
        PendingRelease release,
        @Nullable Claim requeue,
        long sentNanos,
        Outcome<ReleaseAnswer> outcome);

    void withdrawAnswered(PendingRelease withdrawal, Outcome<WithdrawAnswer> outcome);

    void shrinkAnswered(CurrentGrant grant, RenewRequest request, Outcome<RenewAnswer> outcome);

    /** Tells an asynchronous caller that its request is over. */
    void complete(Waiter waiter);
  }

  private final ResourceId resource;
  private final String name;
  private final ClientRuntime runtime;
  private final LostHolds lostHolds;
  private final SendingThreads sendingThreads;
  private final Answers answers;
  private final SerialExecutor queue;

  Outbox(
      ResourceId resource,
      ClientRuntime runtime,
      LostHolds lostHolds,
      SendingThreads sendingThreads,
      Answers answers) {
    this.resource = resource;
    this.name = resource.name();
    this.runtime = runtime;
    this.lostHolds = lostHolds;
    this.sendingThreads = sendingThreads;
    this.answers = answers;
    this.queue = new SerialExecutor("'" + name + "'", Runnable::run, runtime::reportFailure);
  }

  /** Runs a task when all that was decided before has been carried out. */
  void afterwards(Runnable task) {
    queue.add(task);
  }

  /** Carries out what waits, unless another thread does. */
  void drain() {
    boolean isOutermost = sendingThreads.begin();
    try {
      queue.drain();
    } finally {
      if (isOutermost) {
        sendingThreads.end();
      }
    }
  }

  // ---------------------------------------------------------------- to the store

  @Override
  public void claim(Claim claim) {
    queue.add(
        () -> {
          long sent = runtime.now();
          ask(
              () -> runtime.store().claim(claim.request()),
              outcome -> answers.claimAnswered(claim, sent, outcome));
        });
  }

  @Override
  public void release(PendingRelease release, @Nullable Claim requeue) {
    queue.add(
        () -> {
          long sent = runtime.now();
          ReleaseRequest request =
              new ReleaseRequest(
                  resource,
                  null,
                  release.number(),
                  release.usedToken(),
                  requeue == null ? null : requeue.request(),
                  release.restMillis(sent));
          ask(
              () -> runtime.store().release(request),
              outcome -> answers.releaseAnswered(release, requeue, sent, outcome));
        });
  }

  @Override
  public void withdraw(PendingRelease withdrawal) {
    queue.add(
        () ->
            ask(
                () -> runtime.store().withdraw(resource, withdrawal.number()),
                outcome -> answers.withdrawAnswered(withdrawal, outcome)));
  }

  @Override
  public void shrink(CurrentGrant grant, RenewRequest request) {
    queue.add(
        () ->
            ask(
                () -> runtime.store().renew(List.of(request)).thenApply(all -> all.get(0)),
                outcome -> answers.shrinkAnswered(grant, request, outcome)));
  }

  private <T> void ask(
      Supplier<CompletionStage<Outcome<T>>> question, Consumer<Outcome<T>> answered) {
    StoreCalls.tell(runtime, name, question, answered);
  }

  // ---------------------------------------------------------------- to callers

  @Override
  public void wake(Waiter waiter) {
    queue.add(() -> LockSupport.unpark(waiter.thread()));
  }

  @Override
  public void settled(Waiter waiter) {
    if (waiter.isAsync()) {
      queue.add(() -> runtime.execute(() -> runtime.guarded(name, () -> answers.complete(waiter))));
    } else if (waiter.thread() != Thread.currentThread()) {
      wake(waiter);
    }
  }

  @Override
  public void renewed(ManualRenewal wish, @Nullable RuntimeException failure) {
    confirmed(wish.completion(), failure);
  }

  @Override
  public void confirmed(Completion completion, @Nullable RuntimeException failure) {
    queue.add(
        () -> {
          if (failure == null) {
            completion.done();
          } else {
            completion.fail(failure);
          }
        });
  }

  @Override
  public void remember(Thread owner, Hold lost) {
    lostHolds.add(owner, resource, lost);
  }

  @Override
  public void lost(Hold hold) {
    List<Consumer<LeaseLost>> listeners = hold.takeLossListeners();
    LeaseLost loss = hold.loss();
    if (loss != null) {
      queue.add(() -> runtime.log().lost(loss, hold.acquirer()));
    }
    if (!listeners.isEmpty() && loss != null) {
      queue.add(() -> runtime.execute(() -> listeners.forEach(listener -> listener.accept(loss))));
    }
    if (hold.isWatched()) {
      queue.add(() -> runtime.execute(hold::tellLost));
    }
  }

  @Override
  public void event(LockEvent event) {
    queue.add(() -> runtime.events().publish(event));
  }

  @Override
  public boolean wants(Class<? extends LockEvent> kind) {
    return runtime.events().wants(kind);
  }

  @Override
  public void failed(String what, RuntimeException failure) {
    queue.add(() -> runtime.reportFailure(what, failure));
  }

  @Override
  public void reached(Transition transition) {
    runtime.probe().reached(transition);
  }
}
