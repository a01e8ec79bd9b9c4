package io.lockkeeper.spi.rule;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import java.util.List;

/**
 * A claim as a store keeps it.
 *
 * @param client whose it is
 * @param claim its number
 * @param label whose it is, for people
 * @param state whether it waits, is granted, or was taken back
 * @param sinceMicros when it was granted, or arrived
 * @param arrival its place in the order of arrival
 * @param end when the grant is over, the waiting claim dead, or the one that was taken back
 *     forgotten
 * @param permits how many permits it has or wants
 * @param tokens how many tokens it wants
 * @param token the token that it got
 * @param leaseMillis the lease that it asks for
 * @param deadlineMillis how long its grant lasts until it is confirmed
 * @param overtakes whether it may overtake
 * @param confirmed whether the grant has its full lease
 */
public record StoredClaim(
    String client,
    long claim,
    String label,
    State state,
    long sinceMicros,
    long arrival,
    LeaseEnd end,
    int permits,
    int tokens,
    long token,
    long leaseMillis,
    long deadlineMillis,
    boolean overtakes,
    boolean confirmed) {

  /** The states of a claim. */
  public enum State {
    /** It stands in the queue. */
    WAITING,
    /** It holds what it wants. */
    GRANTED,
    /** It was taken back, or is no claim but another request: a copy of it is to change nothing. */
    DONE
  }

  /** Returns a claim that begins to wait now. */
  public static StoredClaim waiting(
      String client, ClaimRequest request, long now, long arrival, long endMicros, long deadline) {
    return new StoredClaim(
        client,
        request.claim(),
        request.label(),
        State.WAITING,
        now,
        arrival,
        new LeaseEnd(endMicros, 0),
        request.share().permits(),
        request.tokens(),
        0,
        request.leaseMillis(),
        deadline,
        request.share().overtakes(),
        false);
  }

  /**
   * Returns what is kept of a request that is done, so that a copy of it changes nothing.
   *
   * @param endMicros when it may be forgotten
   */
  public static StoredClaim done(String client, long number, long endMicros) {
    LeaseEnd end = new LeaseEnd(endMicros, 0);
    return new StoredClaim(client, number, "", State.DONE, 0, 0, end, 1, 1, 0, 0, 0, false, false);
  }

  /** Returns whether it is granted. */
  public boolean isGranted() {
    return state == State.GRANTED;
  }

  /** Returns whether it waits. */
  public boolean isWaiting() {
    return state == State.WAITING;
  }

  /** Returns whether its end is still to come. */
  public boolean isLive(long nowMicros) {
    return nowMicros < end.micros();
  }

  /** Returns whether a claim directly behind this one is granted together with it. */
  public boolean belongsWith(StoredClaim next) {
    return client.equals(next.client) && leaseMillis == next.leaseMillis;
  }

  /** Returns it granted, from now on. */
  public StoredClaim granted(long now, LeaseEnd newEnd, long newToken, boolean isConfirmed) {
    return copy(State.GRANTED, now, newEnd, permits, newToken, isConfirmed);
  }

  /** Returns it with another end. */
  public StoredClaim until(LeaseEnd newEnd) {
    return copy(state, sinceMicros, newEnd, permits, token, confirmed);
  }

  /** Returns it with its full lease, and not more than so many permits. */
  public StoredClaim renewed(LeaseEnd newEnd, int most) {
    return copy(state, sinceMicros, newEnd, Math.min(permits, most), token, true);
  }

  /** Returns the grant as the engine knows it. */
  public Grant toGrant(long now) {
    long left = end.leftToHolder(now);
    return new Grant(claim, List.of(claim), token, token, now, left, false, confirmed);
  }

  /** Returns the grant as others see it. */
  public Inspection.Holder inspectGrant(long now) {
    return new Inspection.Holder(
        client, claim, token, permits, end.micros() - now, now - sinceMicros, label);
  }

  /** Returns the waiting claim as others see it. */
  public Inspection.Waiter inspectWaiting(long now) {
    return new Inspection.Waiter(client, claim, permits, now - sinceMicros, label);
  }

  private StoredClaim copy(
      State newState, long since, LeaseEnd newEnd, int kept, long newToken, boolean isConfirmed) {
    return new StoredClaim(
        client,
        claim,
        label,
        newState,
        since,
        arrival,
        newEnd,
        kept,
        tokens,
        newToken,
        leaseMillis,
        deadlineMillis,
        overtakes,
        isConfirmed);
  }
}
