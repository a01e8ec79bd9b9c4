package io.lockkeeper.engine;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockEvent;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.spi.Done;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.LookAnswer;
import io.lockkeeper.spi.LookRequest;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceKind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The local side of one resource in one client: a {@link ResourceState} behind a mutex, with its
 * effects carried out in order.
 *
 * <p>Every entry is the same three steps: change the state under the mutex, let the mutex go, carry
 * out what the state asked for. The effects of all threads go through one outbox, which one thread
 * at a time empties, so that the store sees the requests of a resource in the order in which the
 * state made them: a withdrawal never overtakes its claim. Nothing is sent, no thread is woken and
 * no user code runs while the mutex is held.
 */
final class Gate implements Effects {

  /** The resource's id, which the store knows. */
  final String resource;

  /** The name that the user chose, for messages. */
  final String name;

  private final Engine engine;
  private final ReentrantLock mutex = new ReentrantLock();
  private final ResourceState state;
  private final SerialQueue outbox;

  /** When {@link #tick} wants to be called. Written under the mutex, read by the pulse. */
  private volatile long dueNanos = Margins.NEVER;

  /** Whether this gate is no longer the one of its name. Guarded by the mutex. */
  private boolean retired;

  /** Whether {@link #close} has been here. Guarded by the mutex. */
  private boolean closed;

  /** Whether the store has confirmed all that was given up by closing. Written under the mutex. */
  private volatile boolean quiet;

  Gate(String resource, Engine engine) {
    ResourceKind kind = ResourceKind.of(resource);
    this.resource = resource;
    this.name = ResourceKind.nameOf(resource);
    this.engine = engine;
    this.outbox = new SerialQueue("'" + name + "'", Runnable::run, engine::reportFailure);
    this.state =
        kind == ResourceKind.LOCK
            ? new GateState(name, engine.policy(), this, engine.now())
            : new PoolState(kind, name, engine.policy(), this, engine.now());
  }

  // ---------------------------------------------------------------- callers

  /** Returns what a thread holds, or null. To be asked by that thread. */
  @Nullable Hold holdOf(Thread thread) {
    return state.holdOf(thread);
  }

  /** Returns whether this client is known to hold the resource. */
  boolean isHeld() {
    return state.isHeld(engine.now());
  }

  /** Lets a request in; returns false if this gate is retired and another must be asked. */
  boolean enter(Waiter waiter) {
    return step(
        now -> {
          if (retired) {
            return false;
          }
          if (engine.isClosed()) {
            throw new LockkeeperClosedException("'" + name + "': this client is closed");
          }
          state.enter(waiter, now);
          return true;
        });
  }

  /** Takes the gate for a woken thread if it is still open to it. */
  boolean takeIfOpen(Waiter waiter) {
    return step(
        now -> {
          waiter.poked = false;
          return !waiter.isWaiting() || state.takeIfOpen(waiter, now);
        });
  }

  /** Takes a waiting request out; returns false if it is not waiting any more. */
  boolean leave(Waiter waiter) {
    return step(now -> state.leave(waiter, now));
  }

  boolean timedOutInSilence(Waiter waiter) {
    return step(now -> state.timedOutInSilence(waiter, now));
  }

  /** Ends a hold if it is still held and valid; returns whether it was. */
  boolean release(Hold hold) {
    return step(
        now -> {
          state.expire(hold, now);
          boolean held = hold.state == Hold.State.HELD;
          if (held) {
            state.release(hold, now);
          }
          return held;
        });
  }

  /**
   * Gives back so many permits of a hold, if it is still held; returns whether it was.
   *
   * @throws IllegalArgumentException if it has not so many
   */
  boolean giveBack(Hold hold, int permits) {
    return step(
        now -> {
          state.expire(hold, now);
          if (hold.state != Hold.State.HELD) {
            return false;
          }
          int left = hold.permits - permits;
          if (permits < 1 || left < 0) {
            throw new IllegalArgumentException(
                "'" + name + "': cannot give back " + permits + " permits of " + hold.permits);
          }
          if (left == 0) {
            state.release(hold, now);
          } else {
            state.shrink(hold, left, now);
          }
          return true;
        });
  }

  /** Ends what is held by a grant, if it is held; returns whether it was. */
  boolean release(long grant) {
    Hold hold = holdBy(grant);
    return hold != null && release(hold);
  }

  /** Returns what is held by a grant, or null. */
  @Nullable Hold holdBy(long grant) {
    mutex.lock();
    try {
      return state.holdBy(grant);
    } finally {
      mutex.unlock();
    }
  }

  /** Returns whether a grant was given back and the store has not confirmed it yet. */
  boolean isReleasing(long grant) {
    mutex.lock();
    try {
      return state.isReleasing(grant);
    } finally {
      mutex.unlock();
    }
  }

  /** Notices that a hold's time is over, if it is; returns whether it is still held. */
  boolean stillHeld(Hold hold) {
    return step(
        now -> {
          state.expire(hold, now);
          return hold.state == Hold.State.HELD;
        });
  }

  /** Asks for a renewal; returns false if the hold is not held any more. */
  boolean renew(ManualRenewal wish) {
    return step(
        now -> {
          state.expire(wish.hold(), now);
          boolean held = wish.hold().state == Hold.State.HELD;
          if (held) {
            state.renew(wish, now);
          }
          return held;
        });
  }

  /** Registers for the loss of a hold. */
  CompletableFuture<LeaseLost> lossOf(Hold hold) {
    return step(
        now -> {
          if (hold.lost == null) {
            hold.lost = new CompletableFuture<>();
            if (hold.loss != null) {
              hold.lost.complete(hold.loss);
            }
          }
          return hold.lost;
        });
  }

  /**
   * Returns what is completed when the store has confirmed all that was given back of a hold, or
   * that has become pointless.
   */
  CompletableFuture<Void> confirmation(Hold released) {
    mutex.lock();
    try {
      return state.confirmation(released.tenure);
    } finally {
      mutex.unlock();
    }
  }

  /** Waits for {@link #confirmation}, through interrupts. */
  void awaitConfirmed(Hold released) {
    if (engine.isSending()) {
      return; // what confirms it may be this thread's to send, or to hear
    }
    CompletableFuture<Outcome<Done>> confirmed =
        confirmation(released).thenApply(nothing -> Outcome.answered(Done.DONE));
    if (StoreCalls.outcome(engine, confirmed) instanceof Outcome.Unknown<Done> unknown) {
      throw engine
          .policy()
          .unavailable("'" + name + "': the release was not confirmed", unknown.cause());
    }
  }

  /** Tells those who wait for a confirmation that there will be none. */
  void abandonConfirmations() {
    List<CompletableFuture<Void>> waiting;
    mutex.lock();
    try {
      waiting = state.desk.confirmations();
    } finally {
      mutex.unlock();
    }
    LockkeeperClosedException closed =
        new LockkeeperClosedException("'" + name + "': the release was not confirmed");
    waiting.forEach(each -> each.completeExceptionally(closed));
  }

  /**
   * Waits until all is sent that was decided here before, so that a question that the calling
   * thread asks then comes behind it. Another thread may be sending it. One that is itself about to
   * send something has nothing to wait for.
   */
  void awaitSent() {
    CompletableFuture<Outcome<Done>> sent = new CompletableFuture<>();
    mutex.lock();
    try {
      outbox.add(() -> sent.complete(Outcome.answered(Done.DONE)));
    } finally {
      mutex.unlock();
    }
    drain();
    if (!sent.isDone() && !engine.isSending()) {
      StoreCalls.outcome(engine, sent);
    }
  }

  private void drain() {
    boolean isOutermost = engine.beginSending();
    try {
      outbox.drain();
    } finally {
      if (isOutermost) {
        engine.endSending();
      }
    }
  }

  // ---------------------------------------------------------------- deadlocks

  /** Tells who holds what here. */
  void visitHolders(BiConsumer<Thread, Suspect.Held> visitor) {
    mutex.lock();
    try {
      for (Hold hold : state.holds()) {
        if (hold.acquirer != null && hold.isValid(engine.now())) {
          visitor.accept(hold.acquirer, new Suspect.Held(resource, hold.token, hold.permits));
        }
      }
    } finally {
      mutex.unlock();
    }
  }

  /** Tells which threads wait here, of those that the filter lets through. */
  void visitWaiters(Predicate<Waiter> filter, Consumer<Waiter> visitor) {
    mutex.lock();
    try {
      for (Waiter waiter : state.waiters()) {
        if (waiter.isWaiting() && waiter.thread != null && filter.test(waiter)) {
          visitor.accept(waiter);
        }
      }
    } finally {
      mutex.unlock();
    }
  }

  /** Returns whether any request waits here. */
  boolean isAwaited() {
    mutex.lock();
    try {
      return state.isAwaited();
    } finally {
      mutex.unlock();
    }
  }

  /** Returns a waiting request's place in the store's order of arrival, or -1 if it is unknown. */
  long arrivalOf(Waiter waiter) {
    return state.arrivalOf(waiter);
  }

  /** Ends a wait with a failure; returns false if it is over already. */
  boolean refuse(Waiter waiter, RuntimeException cause) {
    return step(now -> state.refuse(waiter, cause, now));
  }

  // ---------------------------------------------------------------- store

  void pushed(Grant grant) {
    change(now -> state.pushed(grant, now));
  }

  void wanted() {
    change(state::wanted);
  }

  void revoked() {
    change(state::revoked);
  }

  void reconnected() {
    change(state::reconnected);
  }

  void renewAnswered(
      Tenure tenure, RenewRequest request, long sentNanos, Outcome<RenewAnswer> outcome) {
    change(now -> state.renewAnswered(tenure, request, sentNanos, outcome, now));
  }

  void lookAnswered(LookRequest request, long sentNanos, Outcome<LookAnswer> outcome) {
    change(now -> state.lookAnswered(request, sentNanos, outcome, now));
  }

  // ---------------------------------------------------------------- time

  long dueNanos() {
    return dueNanos;
  }

  /** Does what is due; returns false if the gate has retired. */
  boolean tick(Batch batch) {
    return step(
        now -> {
          state.tick(now, batch, this);
          retired |= state.isRetirable(now);
          return !retired;
        });
  }

  /** Ends all waits and holds; returns whether the store still has to confirm something. */
  boolean close() {
    return step(
        now -> {
          state.close(now);
          closed = true;
          return state.hasRetreats();
        });
  }

  // ---------------------------------------------------------------- steps

  private interface Change {
    void at(long nowNanos);
  }

  private void change(Change change) {
    step(
        now -> {
          change.at(now);
          return true;
        });
  }

  private <T> T step(LongFunction<T> change) {
    try {
      return underMutex(change);
    } finally { // a change that was refused, or failed, may have decided something before
      drain();
      engine.scanBy(dueNanos);
      if (quiet) {
        engine.quiet(this);
      }
    }
  }

  private <T> T underMutex(LongFunction<T> change) {
    mutex.lock();
    try {
      T result = change.apply(engine.now());
      assert state.isSound();
      return result;
    } finally {
      dueNanos = retired ? Margins.NEVER : state.dueNanos();
      quiet = closed && !state.hasRetreats();
      mutex.unlock();
    }
  }

  // ---------------------------------------------------------------- effects

  @Override
  public void claim(Claim claim) {
    outbox.add(
        () ->
            ask(
                () -> engine.store().claim(claim.request),
                sent -> outcome -> change(now -> state.claimAnswered(claim, sent, outcome, now))));
  }

  @Override
  public void release(Retreat retreat, @Nullable Claim requeue) {
    ReleaseRequest request =
        new ReleaseRequest(
            resource, retreat.number, retreat.usedToken, requeue == null ? null : requeue.request);
    outbox.add(
        () ->
            ask(
                () -> engine.store().release(request),
                sent ->
                    outcome ->
                        change(
                            now -> state.releaseAnswered(retreat, requeue, sent, outcome, now))));
  }

  @Override
  public void withdraw(Retreat retreat) {
    outbox.add(
        () ->
            ask(
                () -> engine.store().withdraw(resource, retreat.number),
                sent -> outcome -> change(now -> state.withdrawAnswered(retreat, outcome, now))));
  }

  @Override
  public void shrink(Tenure tenure, RenewRequest request) {
    outbox.add(
        () ->
            ask(
                () -> engine.store().renew(List.of(request)).thenApply(answers -> answers.get(0)),
                sent -> outcome -> change(now -> shrinkAnswered(tenure, request, outcome, now))));
  }

  private void shrinkAnswered(
      Tenure tenure, RenewRequest request, Outcome<RenewAnswer> outcome, long now) {
    if (state instanceof PoolState pool) {
      pool.shrinkAnswered(tenure, request, outcome, now);
    }
  }

  @Override
  public void confirmed(CompletableFuture<Void> confirmation) {
    outbox.add(() -> confirmation.complete(null));
  }

  @Override
  public void remember(Thread owner, Hold lost) {
    engine.losses().add(owner, resource, lost);
  }

  private <T> void ask(
      Supplier<CompletionStage<Outcome<T>>> question, LongFunction<Consumer<Outcome<T>>> answer) {
    Consumer<Outcome<T>> answered = answer.apply(engine.now());
    StoreCalls.tell(engine::reportFailure, name, question, answered);
  }

  @Override
  public void wake(Waiter waiter) {
    outbox.add(waiter::wake);
  }

  @Override
  public void settled(Waiter waiter) {
    if (waiter.isAsync()) {
      outbox.add(
          () -> engine.execute(() -> engine.guarded(name, () -> engine.complete(this, waiter))));
    } else if (waiter.thread != Thread.currentThread()) {
      outbox.add(waiter::wake);
    }
  }

  @Override
  public void renewed(ManualRenewal wish, @Nullable RuntimeException failure) {
    outbox.add(
        () -> {
          if (failure == null) {
            wish.done().complete(null);
          } else {
            wish.done().completeExceptionally(failure);
          }
        });
  }

  @Override
  public void lost(Hold hold) {
    if (hold.lost != null && hold.loss != null) {
      CompletableFuture<LeaseLost> future = hold.lost;
      LeaseLost loss = hold.loss;
      outbox.add(() -> engine.execute(() -> future.complete(loss)));
    }
  }

  @Override
  public void event(LockEvent event) {
    outbox.add(() -> engine.events().publish(event));
  }

  @Override
  public void reached(Transition transition) {
    engine.probe().reached(transition);
  }

  @Override
  public boolean listening() {
    return engine.events().hasListeners();
  }
}
