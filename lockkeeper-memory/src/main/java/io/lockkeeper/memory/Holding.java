package io.lockkeeper.memory;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import java.util.ArrayList;
import java.util.List;

/** A current grant of a resource. */
final class Holding {

  final String clientId;
  final long grant;
  final long firstToken;
  final long lastToken;
  private final String label;
  private final long sinceMicros;

  /** How many claims it began with. */
  private final int size;

  /** The claims not withdrawn since. */
  private final List<Long> claims;

  private int permits = 1;
  private long endMicros;
  private boolean confirmed;

  Holding(
      String clientId,
      List<Long> claims,
      long firstToken,
      long lastToken,
      String label,
      long sinceMicros) {
    this.clientId = clientId;
    this.grant = claims.get(0);
    this.claims = new ArrayList<>(claims);
    this.size = claims.size();
    this.firstToken = firstToken;
    this.lastToken = lastToken;
    this.label = label;
    this.sinceMicros = sinceMicros;
  }

  /** Creates the grant of a claim on a resource that is shared. */
  Holding(ClaimId id, int permits, long token, String label, long sinceMicros) {
    this(id.clientId(), List.of(id.claim()), token, token, label, sinceMicros);
    this.permits = permits;
  }

  int permits() {
    return permits;
  }

  /** Leaves it with so many permits, if it has more, and returns how many that sets free. */
  int shrink(int kept) {
    int freed = Math.max(0, permits - kept);
    permits -= freed;
    return freed;
  }

  boolean isOver(long nowMicros) {
    return nowMicros >= endMicros;
  }

  boolean belongsTo(String client) {
    return clientId.equals(client);
  }

  /** Returns whether it has tokens for more holders than it has claims: it passes on locally. */
  boolean hasTokensToSpare() {
    return lastToken - firstToken + 1 > size;
  }

  boolean covers(long claim) {
    return claims.contains(claim);
  }

  /** Takes a claim out of the run and returns whether none is left. */
  boolean withdraw(long claim) {
    claims.remove(claim);
    return claims.isEmpty();
  }

  /** Sets the end for the first time, to a lease that the client still has to confirm. */
  void beginUnconfirmed(long end) {
    endMicros = end;
  }

  /** Moves the end to where the client wishes, never to an earlier time. */
  void confirm(long end) {
    endMicros = Math.max(endMicros, end);
    confirmed = true;
  }

  long remainingMicros(long nowMicros) {
    return endMicros - nowMicros;
  }

  Grant toGrant(long nowMicros, boolean othersWait) {
    return new Grant(
        grant,
        claims,
        firstToken,
        lastToken,
        nowMicros,
        remainingMicros(nowMicros),
        othersWait,
        confirmed);
  }

  Inspection.Holder inspect(long nowMicros) {
    return new Inspection.Holder(
        clientId,
        grant,
        firstToken,
        permits,
        remainingMicros(nowMicros),
        nowMicros - sinceMicros,
        label);
  }

  ResourceState.HolderState state(long nowMicros) {
    return new ResourceState.HolderState(
        clientId,
        grant,
        permits,
        claims,
        firstToken,
        lastToken,
        remainingMicros(nowMicros),
        confirmed);
  }
}
