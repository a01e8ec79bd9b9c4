package io.lockkeeper.engine.coordination;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.Coordinator;
import io.lockkeeper.engine.runtime.Draining;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.engine.state.Claim;
import io.lockkeeper.engine.state.Completion;
import io.lockkeeper.engine.state.CurrentGrant;
import io.lockkeeper.engine.state.DueRequests;
import io.lockkeeper.engine.state.Failures;
import io.lockkeeper.engine.state.GrantListener;
import io.lockkeeper.engine.state.Hold;
import io.lockkeeper.engine.state.ManualRenewal;
import io.lockkeeper.engine.state.PendingRelease;
import io.lockkeeper.engine.state.ResourceState;
import io.lockkeeper.engine.state.Waiter;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Done;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.WithdrawAnswer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Coordinates what one client does with one resource: a {@link ResourceState} and its {@link
 * Outbox}.
 *
 * <p>This file is long because all entries to the state of a resource are here, and nowhere else.
 */
public final class ResourceCoordinator extends Coordinator {

  private final ResourceId resource;
  private final SendingThreads sendingThreads;
  private final ResourceState state;
  private final Outbox outbox;

  /** Whether {@link #abandonConfirmations} has been here. Guarded by the mutex. */
  private boolean abandoned;

  ResourceCoordinator(
      ResourceId resource,
      ClientRuntime runtime,
      LostHolds lostHolds,
      SendingThreads sendingThreads,
      Draining<Coordinator> draining) {
    super(resource.name(), runtime, draining);
    this.resource = resource;
    this.sendingThreads = sendingThreads;
    this.outbox = new Outbox(resource, runtime, lostHolds, sendingThreads, new Answers());
    this.state = new ResourceState(resource, runtime.policy(), outbox, runtime.now());
  }

  /** Returns the resource's id, which the store knows. */
  public ResourceId resource() {
    return resource;
  }

  // ---------------------------------------------------------------- callers

  /** Returns what a thread holds, or null. To be asked by that thread. */
  public @Nullable Hold holdOf(Thread thread) {
    return state.holdOf(thread);
  }

  /** Returns whether this client is known to hold the resource. */
  public boolean isHeld() {
    return state.isHeld(runtime().now());
  }

  /** Lets a request in; returns false if this coordinator has retired and another must be asked. */
  public boolean enter(Waiter waiter) {
    return enter(now -> state.enter(waiter, now));
  }

  /** Takes the resource for a woken thread if it is still open to it. */
  public boolean takeIfOpen(Waiter waiter) {
    return step(
        now -> {
          waiter.clearSignal();
          return !waiter.isWaiting() || state.takeIfOpen(waiter, now);
        });
  }

  /** Takes a waiting request out; returns false if it is not waiting any more. */
  public boolean leave(Waiter waiter) {
    return step(now -> state.leave(waiter, now));
  }

  /** Takes out a request whose time is over. */
  void timeOut(Waiter waiter) {
    change(now -> state.timeOut(waiter, now));
  }

  /** Ends a request that is leaving, although the store has not answered. */
  void leaveUnconfirmed(Waiter waiter) {
    change(now -> state.leaveUnconfirmed(waiter, now));
  }

  /** Ends a hold if it is still held and valid; returns whether it was. */
  public boolean release(Hold hold) {
    boolean released =
        step(
            now -> {
              state.expire(hold, now);
              boolean held = hold.isHeld();
              if (held) {
                state.release(hold, now);
              }
              return held;
            });
    if (released) {
      hold.tellReleased();
    }
    return released;
  }

  /**
   * Ends a hold as {@link #release(Hold)} does, and has the lock stay closed for so long. Returns
   * what completes when the store has confirmed that, or null if the hold is not held any more.
   *
   * @throws UnsupportedOperationException if it is no lock
   */
  public @Nullable CompletableFuture<@Nullable Void> rest(Hold hold, long restNanos) {
    CompletableFuture<@Nullable Void> known = new CompletableFuture<>();
    boolean wasHeld =
        step(
            now -> {
              state.expire(hold, now);
              boolean held = hold.isHeld();
              if (held) {
                state.rest(hold, restNanos, new FutureCompletion(known), now);
              }
              return held;
            });
    if (wasHeld) {
      hold.tellReleased();
    }
    return wasHeld ? known : null;
  }

  /**
   * Gives back so many permits of a hold, if it is still held; returns whether it was.
   *
   * @throws IllegalArgumentException if it has not so many
   */
  public boolean giveBack(Hold hold, int permits) {
    AtomicBoolean released = new AtomicBoolean();
    boolean given = giveBack(hold, permits, released);
    if (released.get()) {
      hold.tellReleased();
    }
    return given;
  }

  private boolean giveBack(Hold hold, int permits, AtomicBoolean released) {
    return step(
        now -> {
          state.expire(hold, now);
          if (!hold.isHeld()) {
            return false;
          }
          int left = hold.permits() - permits;
          if (permits < 1 || left < 0) {
            throw new IllegalArgumentException(
                "'" + name() + "': cannot give back " + permits + " permits of " + hold.permits());
          }
          if (left == 0) {
            state.release(hold, now);
            released.set(true);
          } else {
            state.shrink(hold, left, now);
          }
          return true;
        });
  }

  /** Ends what is held by a grant, if it is held; returns whether it was. */
  public boolean release(long grant) {
    Hold hold = holdBy(grant);
    return hold != null && release(hold);
  }

  /** Returns what is held by a grant, or null. */
  public @Nullable Hold holdBy(long grant) {
    return look(() -> state.holdBy(grant));
  }

  /** Returns whether a grant was given back and the store has not confirmed it yet. */
  public boolean isReleasing(long grant) {
    return look(() -> state.isReleasing(grant));
  }

  /** Notices that a hold's time is over, if it is; returns whether it is still held. */
  public boolean stillHeld(Hold hold) {
    return step(
        now -> {
          state.expire(hold, now);
          return hold.isHeld();
        });
  }

  /** Asks for more time; returns what becomes of that, or null if the hold is not held any more. */
  public @Nullable CompletableFuture<@Nullable Void> renew(Hold hold, long leaseNanos) {
    CompletableFuture<@Nullable Void> renewed = new CompletableFuture<>();
    ManualRenewal wish = new ManualRenewal(leaseNanos, new FutureCompletion(renewed));
    boolean isHeld =
        step(
            now -> {
              state.expire(hold, now);
              boolean held = hold.isHeld();
              if (held) {
                state.renew(hold, wish, now);
              }
              return held;
            });
    return isHeld ? renewed : null;
  }

  /** Returns what completes when a hold is lost. */
  public CompletableFuture<LeaseLost> lossOf(Hold hold) {
    CompletableFuture<LeaseLost> lost = new CompletableFuture<>();
    whenLost(hold, lost::complete); // at once if it is known: nobody follows it yet
    return lost;
  }

  /**
   * Calls a listener, which throws nothing, when a hold is lost: on the client's executor, or at
   * once if it was lost before.
   */
  public void whenLost(Hold hold, Consumer<LeaseLost> listener) {
    LeaseLost known =
        step(
            now -> {
              LeaseLost loss = hold.loss();
              if (loss == null) {
                hold.addLossListener(listener);
              }
              return loss;
            });
    if (known != null) {
      listener.accept(known);
    }
  }

  /**
   * Returns what completes when the store has confirmed all that was given back of a hold, or that
   * has become pointless.
   */
  public CompletableFuture<@Nullable Void> confirmation(Hold released) {
    CompletableFuture<@Nullable Void> confirmed = new CompletableFuture<>();
    change( // nobody follows it yet
        now -> {
          if (!state.awaitConfirmation(released.grant(), new FutureCompletion(confirmed))) {
            confirmed.complete(null);
          } else if (abandoned) {
            confirmed.completeExceptionally(unconfirmed());
          }
        });
    return confirmed;
  }

  /** Waits for {@link #confirmation}, through interrupts. */
  public void awaitConfirmed(Hold released) {
    awaitConfirmed(confirmation(released));
  }

  /** Waits for what completes when a release is confirmed, through interrupts. */
  public void awaitConfirmed(CompletableFuture<@Nullable Void> confirmation) {
    if (sendingThreads.isSending()) {
      return; // what confirms it may be this thread's to send, or to hear
    }
    CompletableFuture<Outcome<Done>> confirmed =
        confirmation.thenApply(nothing -> Outcome.answered(Done.DONE));
    if (StoreCalls.outcome(runtime(), confirmed) instanceof Outcome.Unknown<Done> unknown) {
      if (unknown.cause() instanceof LeaseLostException lost) {
        throw lost;
      }
      throw runtime()
          .policy()
          .unavailable("'" + name() + "': the release was not confirmed", unknown.cause());
    }
  }

  /** Tells those who wait for a confirmation, and those who come later, that there will be none. */
  public void abandonConfirmations() {
    List<Completion> waiting =
        step(
            now -> {
              abandoned = true;
              state.leaveUnconfirmed(now);
              return state.releaseListeners();
            });
    waiting.forEach(each -> each.fail(unconfirmed()));
  }

  private LockkeeperClosedException unconfirmed() {
    return closedException("the release was not confirmed");
  }

  /**
   * Waits until all is sent that was decided here before, so that a question that the calling
   * thread asks then comes behind it. Another thread may be sending it. One that is itself about to
   * send something has nothing to wait for.
   */
  public void awaitSent() {
    CompletableFuture<Outcome<Done>> sent = new CompletableFuture<>();
    change(now -> outbox.afterwards(() -> sent.complete(Outcome.answered(Done.DONE))));
    if (!sent.isDone() && !sendingThreads.isSending()) {
      StoreCalls.outcome(runtime(), sent);
    }
  }

  // ---------------------------------------------------------------- deadlocks

  /** Tells which threads hold what here. Called under the mutex. */
  public void visitHolders(BiConsumer<Thread, Hold> visitor) {
    look(
        () -> {
          for (Hold hold : state.holds()) {
            Thread acquirer = hold.acquirer();
            if (acquirer != null && hold.isValid(runtime().now())) {
              visitor.accept(acquirer, hold);
            }
          }
          return null;
        });
  }

  /** The holds and waits of this client at one moment, of which the store knows only a part. */
  public record Present(List<Hold> holds, List<Waiter> waiters) {

    /** Returns whether a claim is that of one request alone. */
    public boolean hasOwnClaim(long claim) {
      return waiters.stream().anyMatch(waiter -> waiter.claim() == claim);
    }
  }

  /** Returns what is held and waited for here. */
  public Present present() {
    return look(
        () ->
            new Present(
                state.holds(), state.waiters().stream().filter(Waiter::isWaiting).toList()));
  }

  /** Visits the requests that wait. */
  public interface WaiterVisitor {

    /**
     * Visits one request. Called under the mutex.
     *
     * @param arrival its place in the store's order of arrival, or -1 if that is unknown
     */
    void visit(Waiter waiter, long arrival);
  }

  /** Tells which threads wait here, of those that the filter lets through. */
  public void visitWaiters(Predicate<Waiter> filter, WaiterVisitor visitor) {
    look(
        () -> {
          for (Waiter waiter : state.waiters()) {
            if (waiter.isWaiting() && waiter.thread() != null && filter.test(waiter)) {
              visitor.visit(waiter, state.arrivalOf(waiter));
            }
          }
          return null;
        });
  }

  /** Returns whether any request waits here. */
  public boolean isAwaited() {
    return look(state::isAwaited);
  }

  /** Ends a wait with a failure; returns false if it is over already. */
  public boolean refuse(Waiter waiter, RuntimeException cause) {
    return step(now -> state.refuse(waiter, cause, now));
  }

  // ---------------------------------------------------------------- store

  public void pushed(Grant grant) {
    change(now -> state.pushed(grant, now));
  }

  public void contended() {
    change(state::contended);
  }

  public void revoked() {
    change(state::revoked);
  }

  @Override
  public void reconnected() {
    change(state::reconnected);
  }

  // ---------------------------------------------------------------- time

  /** Does what is due; returns false if this coordinator has retired. */
  boolean tick(Batch batch) {
    return tick(
        now -> {
          state.tick(now, into(batch));
          return state.isRetirable(now);
        });
  }

  private DueRequests into(Batch batch) {
    return new DueRequests() {
      @Override
      public void renew(CurrentGrant grant, RenewRequest request) {
        batch.renew(
            name(),
            request,
            (sent, outcome) ->
                change(now -> state.renewAnswered(grant, request, sent, outcome, now)));
      }

      @Override
      public void poll(PollRequest request) {
        batch.poll(
            name(),
            request,
            (sent, outcome) -> change(now -> state.lookAnswered(request, sent, outcome, now)));
      }
    };
  }

  // ---------------------------------------------------------------- the state

  @Override
  protected long stateDueNanos() {
    return state.dueNanos();
  }

  @Override
  protected boolean isStateDrained() {
    return !state.hasReleases();
  }

  @Override
  protected void closeState(long now) {
    state.close(now);
  }

  @Override
  protected boolean isSound() {
    return state.isSound();
  }

  @Override
  protected void afterError(long now) {
    state.afterError(now);
  }

  @Override
  protected void drainOutbox() {
    outbox.drain();
  }

  // ---------------------------------------------------------------- answers

  /** Takes in what follows from the effects: each is a step of its own. */
  private final class Answers implements Outbox.Answers {

    @Override
    public void claimAnswered(Claim claim, long sentNanos, Outcome<ClaimAnswer> outcome) {
      change(now -> state.claimAnswered(claim, sentNanos, outcome, now));
    }

    @Override
    public void releaseAnswered(
        PendingRelease release,
        @Nullable Claim requeue,
        long sentNanos,
        Outcome<ReleaseAnswer> outcome) {
      change(now -> state.releaseAnswered(release, requeue, sentNanos, outcome, now));
    }

    @Override
    public void withdrawAnswered(PendingRelease withdrawal, Outcome<WithdrawAnswer> outcome) {
      change(now -> state.withdrawAnswered(withdrawal, outcome, now));
    }

    @Override
    public void shrinkAnswered(
        CurrentGrant grant, RenewRequest request, Outcome<RenewAnswer> outcome) {
      change(now -> state.shrinkAnswered(grant, request, outcome, now));
    }

    /** Gives back a grant that nobody wants any more. */
    @Override
    public void complete(Waiter waiter) {
      GrantListener listener = waiter.listener();
      if (listener == null) {
        return;
      }
      Hold hold = waiter.hold();
      if (hold == null) {
        listener.failed(Failures.of(resource, waiter, runtime()::timedOut));
        return;
      }
      hold.hear();
      boolean isKept = false;
      try {
        isKept = listener.granted(hold);
      } finally {
        if (!isKept) {
          release(hold);
        }
      }
    }
  }
}
