package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.engine.ScriptedStore;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.WithdrawAnswer;
import java.time.Duration;
import java.util.List;

/**
 * The {@link ResourceState} of permits in a test's hand: its time, its requests, and the store's
 * answers.
 */
public final class PermitFixture {

  static final long MILLI = 1_000_000;
  static final long LEASE = 30_000 * MILLI;

  final FixedPolicy policy = new FixedPolicy();
  final RecordedEffects effects = new RecordedEffects();
  long now = 1_000_000 * MILLI;
  final ResourceState state;
  private final ScriptedStore store = new ScriptedStore();
  private final RecordedRequests due = new RecordedRequests();

  PermitFixture(ResourceKind kind) {
    state = new ResourceState(new ResourceId(kind, "a"), policy, effects, now);
  }

  // ------------------------------------------------------------- requests

  Waiter async(int permits) {
    return enter(permits, LEASE, false, null);
  }

  Waiter fixed(int permits, Duration lease) {
    return enter(permits, lease.toNanos(), true, null);
  }

  Waiter owned(int permits, Thread owner) {
    return enter(permits, LEASE, false, owner);
  }

  private Waiter enter(int permits, long leaseNanos, boolean fixed, Thread owner) {
    Share share = new Share(permits, 10, false);
    Waiter.Terms terms = new Waiter.Terms(leaseNanos, fixed, 0, now, Instants.NEVER, share, 0);
    Waiter waiter = new Waiter(Waiter.Order.STRICT, terms, owner, null, null);
    state.enter(waiter, now);
    sound();
    return waiter;
  }

  void leave(Waiter waiter) {
    state.leave(waiter, now);
    sound();
  }

  // ------------------------------------------------------------- the store

  /** Returns the claim of a request, as it was sent last. */
  Claim claim(Waiter waiter) {
    return effects.allClaims.stream()
        .filter(each -> each.number() == waiter.claim())
        .findFirst()
        .orElseThrow();
  }

  Grant grant(Waiter waiter, boolean confirmed) {
    ClaimRequest request = claim(waiter).request;
    long leaseMillis = confirmed ? request.leaseMillis() : 1_000;
    return store.grant(List.of(request), false, confirmed, leaseMillis);
  }

  /** Grants a request at once. */
  Hold granted(Waiter waiter) {
    answer(claim(waiter), new ClaimAnswer.Granted(grant(waiter, true)));
    return waiter.hold;
  }

  void queued(Waiter waiter, long arrival) {
    answer(claim(waiter), new Queued(0, 60_000_000, arrival));
  }

  void answer(Claim claim, ClaimAnswer answer) {
    state.claimAnswered(claim, now, Outcome.answered(answer), now);
    sound();
  }

  void push(Grant grant) {
    state.pushed(grant, now);
    sound();
  }

  void polled(PollRequest request, PollAnswer answer) {
    state.lookAnswered(request, now, Outcome.answered(answer), now);
    sound();
  }

  void confirmLastWithdrawal() {
    PendingRelease last = effects.withdrawals.get(effects.withdrawals.size() - 1);
    state.withdrawAnswered(last, Outcome.answered(WithdrawAnswer.LEFT), now);
    sound();
  }

  void renewed(Hold hold, RenewRequest request, boolean renewed) {
    Outcome<RenewAnswer> outcome = Outcome.answered(new RenewAnswer(renewed, false));
    state.renewAnswered(hold.grant, request, now, outcome, now);
    sound();
  }

  void renewalUnanswered(Hold hold, RenewRequest request) {
    state.renewAnswered(hold.grant, request, now, ScriptedStore.silence(), now);
    sound();
  }

  // ------------------------------------------------------------- time

  void pass(Duration duration) {
    now += duration.toNanos();
  }

  /** Does what is due, if anything is. */
  void tick() {
    if (state.dueNanos() <= now) {
      state.tick(now, due);
    }
    sound();
  }

  /** Returns the renewals that the last ticks have sent and that no test has looked at yet. */
  List<RenewRequest> renewals() {
    return due.takeRenewals();
  }

  List<PollRequest> polls() {
    return due.takeLooks();
  }

  private void sound() {
    assertThat(state.isSound()).isTrue();
  }

  void shrinkAnswered(Hold hold, RenewRequest request, Outcome<RenewAnswer> outcome) {
    state.shrinkAnswered(hold.grant, request, outcome, now);
  }

  /** Returns a hold, whichever. */
  public static Hold anyHold() {
    PermitFixture pool = new PermitFixture(ResourceKind.SEMAPHORE);
    return pool.granted(pool.async(1));
  }
}
