package io.lockkeeper.spi.rule;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The grant of a lock.
 *
 * @param client who holds it
 * @param label the thread that has it, for people; empty if that is not known here
 * @param grant its number: that of the first claim of its batch
 * @param claims the claims that it covers and that were not withdrawn since
 * @param firstToken the first token of its block
 * @param lastToken the last
 * @param hasTokensToSpare whether it has tokens for more holders than it began with claims: it
 *     hands off locally
 * @param sinceMicros when it was made
 * @param end when it is over
 * @param confirmed whether it has its full lease
 */
public record LockGrant(
    String client,
    String label,
    long grant,
    List<Long> claims,
    long firstToken,
    long lastToken,
    boolean hasTokensToSpare,
    long sinceMicros,
    LeaseEnd end,
    boolean confirmed) {

  /** Copies the list. */
  public LockGrant {
    claims = List.copyOf(claims);
  }

  /** Returns whether it covers a claim of its client. */
  public boolean covers(long claim) {
    return claims.contains(claim);
  }

  LockGrant without(long claim) {
    List<Long> rest = new ArrayList<>(claims);
    rest.remove(claim);
    return copy(rest, end, confirmed);
  }

  LockGrant pulledBack(long nowMicros) {
    return copy(claims, end.pulledBack(nowMicros), confirmed);
  }

  LockGrant renewed(long nowMicros, long leaseMicros) {
    return copy(claims, end.extended(nowMicros, leaseMicros), true);
  }

  LockGrant labelled(@Nullable String newLabel) {
    if (newLabel == null || newLabel.equals(label)) {
      return this;
    }
    return new LockGrant(
        client,
        newLabel,
        grant,
        claims,
        firstToken,
        lastToken,
        hasTokensToSpare,
        sinceMicros,
        end,
        confirmed);
  }

  /** Returns what stands in its place while the lock rests. */
  LockGrant resting(long nowMicros, long restMicros) {
    return new LockGrant(
        Inspection.Holder.resting(client),
        label,
        grant,
        List.of(grant),
        firstToken,
        lastToken,
        false,
        sinceMicros,
        LeaseEnd.after(nowMicros, restMicros),
        true);
  }

  /** Returns whether nobody holds the lock, and it stays closed for a while. */
  public boolean isResting() {
    return Inspection.Holder.isResting(client);
  }

  private LockGrant copy(List<Long> newClaims, LeaseEnd newEnd, boolean isConfirmed) {
    return new LockGrant(
        client,
        label,
        grant,
        newClaims,
        firstToken,
        lastToken,
        hasTokensToSpare,
        sinceMicros,
        newEnd,
        isConfirmed);
  }

  /** Returns it as the engine knows it. */
  public Grant toGrant(long nowMicros, boolean othersWait) {
    long left = end.leftToHolder(nowMicros);
    return new Grant(grant, claims, firstToken, lastToken, nowMicros, left, othersWait, confirmed);
  }

  /** Returns it as others see it. */
  public Inspection.Holder inspect(long nowMicros) {
    return new Inspection.Holder(
        client, grant, firstToken, 1, end.micros() - nowMicros, nowMicros - sinceMicros, label);
  }
}
