package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.engine.ScriptedStore;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A lock's {@link ResourceState} in a test's hand: its time, its requests, and the store's answers.
 */
final class LockFixture {

  static final long MILLI = 1_000_000;
  static final long LEASE = 30_000 * MILLI;

  final FixedPolicy policy = new FixedPolicy();
  final RecordedEffects effects = new RecordedEffects();
  long now = 1_000_000 * MILLI;
  final ResourceState state = new ResourceState(ResourceId.lock("a"), policy, effects, now);
  int maxLocalHandoffs = 64;
  long idleNanos;

  private final ScriptedStore store = new ScriptedStore();

  // ------------------------------------------------------------- requests

  /** A request of a thread that is blocked, and looks whether it is open when the test says so. */
  Waiter blocked() {
    return blocked(Waiter.Order.SHARED, LEASE);
  }

  Waiter blocked(Waiter.Order order, long leaseNanos) {
    return new Waiter(order, terms(leaseNanos, false), null, new Thread("blocked"), null);
  }

  /** A request of an asynchronous caller. */
  Waiter async() {
    return async(Waiter.Order.SHARED, LEASE);
  }

  Waiter async(Waiter.Order order, long leaseNanos) {
    return new Waiter(order, terms(leaseNanos, false), null, null, null);
  }

  Waiter fixed(long leaseNanos) {
    Waiter.Terms terms = terms(leaseNanos, true);
    return new Waiter(Waiter.Order.SHARED, terms, null, null, null);
  }

  private Waiter.Terms terms(long leaseNanos, boolean fixed) {
    return new Waiter.Terms(
        leaseNanos, fixed, maxLocalHandoffs, now, Instants.NEVER, Share.EXCLUSIVE, idleNanos);
  }

  Waiter enter(Waiter waiter) {
    state.enter(waiter, now);
    sound();
    return waiter;
  }

  List<Waiter> enter(int number) {
    List<Waiter> waiters = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      waiters.add(enter(async()));
    }
    return waiters;
  }

  boolean look(Waiter waiter) {
    waiter.signalled = false;
    boolean took = state.takeIfOpen(waiter, now);
    sound();
    return took;
  }

  void leave(Waiter waiter) {
    state.leave(waiter, now);
    sound();
  }

  void releaseHold() {
    state.release(hold(), now);
    sound();
  }

  void pass(Duration duration) {
    now += duration.toNanos();
  }

  void tick() {
    state.tick(now, new RecordedRequests());
    sound();
  }

  // ------------------------------------------------------------- the store

  Claim lastClaim() {
    return effects.claims.get(effects.claims.size() - 1);
  }

  /** Grants the last claim that was sent, at once. */
  Grant grantLast(boolean othersWait) {
    Grant grant = store.grant(lastClaim().request, othersWait);
    answer(lastClaim(), new ClaimAnswer.Granted(grant));
    return grant;
  }

  /** Says that the claim waits. */
  void queue(Claim claim, long arrival) {
    answer(claim, new Queued(0, 60_000_000, arrival));
  }

  void answer(Claim claim, ClaimAnswer answer) {
    state.claimAnswered(claim, now, Outcome.answered(answer), now);
    sound();
  }

  /** Pushes a grant for a run of claims. */
  Grant push(List<Claim> run, boolean othersWait) {
    List<ClaimRequest> requests = run.stream().map(claim -> claim.request).toList();
    Grant grant = store.grant(requests, othersWait, true, LEASE / MILLI);
    state.pushed(grant, now);
    sound();
    return grant;
  }

  /** A renewal of the current grant for the usual lease. */
  RenewRequest renewal() {
    return new RenewRequest(ResourceId.lock("a"), grant().number, LEASE / MILLI);
  }

  /** Returns the grant, or null. */
  CurrentGrant grant() {
    List<CurrentGrant> grants = state.grants();
    return grants.isEmpty() ? null : grants.get(0);
  }

  /** Returns what is held, or null. */
  Hold hold() {
    List<Hold> holds = state.holds();
    return holds.isEmpty() ? null : holds.get(0);
  }

  private void sound() {
    assertThat(state.isSound()).isTrue();
  }

  // ------------------------------------------------------------- what came of it

  /**
   * Releases one holder after the other until the grant goes back to the store; returns how many
   * holders there were.
   */
  int serveUntilGivenBack() {
    int served = 0;
    int releases = effects.releases.size();
    while (hold() != null) {
      served++;
      releaseHold();
    }
    assertThat(effects.releases).as("given back").hasSize(releases + 1);
    return served;
  }

  RecordedEffects.Released lastRelease() {
    return effects.releases.get(effects.releases.size() - 1);
  }
}
