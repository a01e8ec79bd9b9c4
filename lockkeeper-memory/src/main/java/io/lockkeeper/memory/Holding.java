package io.lockkeeper.memory;

import io.lockkeeper.spi.Grant;
import java.util.ArrayList;
import java.util.List;

/** The current grant of a resource. */
final class Holding {

  final String clientId;
  final long grant;
  final long firstToken;
  final long lastToken;

  /** How many claims it began with. */
  private final int size;

  /** The claims not withdrawn since. */
  private final List<Long> claims;

  private long endMicros;
  private boolean confirmed;

  Holding(String clientId, List<Long> claims, long firstToken, long lastToken) {
    this.clientId = clientId;
    this.grant = claims.get(0);
    this.claims = new ArrayList<>(claims);
    this.size = claims.size();
    this.firstToken = firstToken;
    this.lastToken = lastToken;
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

  ResourceState.HolderState state(long nowMicros) {
    return new ResourceState.HolderState(
        clientId, grant, claims, firstToken, lastToken, remainingMicros(nowMicros), confirmed);
  }
}
