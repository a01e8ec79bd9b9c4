package io.lockkeeper.engine.state;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps a grant with the claims that it is to serve and the hold of the one that it serves. */
final class Granted {

  final CurrentGrant grant;

  /** The claims that are still to be served, in the store's order; a shared one stays first. */
  final ArrayDeque<Claim> unserved;

  @Nullable Hold hold;

  Granted(CurrentGrant grant, List<Claim> claims) {
    this.grant = grant;
    this.unserved = new ArrayDeque<>(claims);
  }

  /** Returns the claim of this number that is still to be served, or null. */
  @Nullable Claim unserved(long number) {
    for (Claim claim : unserved) {
      if (claim.number() == number) {
        return claim;
      }
    }
    return null;
  }

  /** Returns whether one of the claims that are still to be served is a shared one. */
  boolean hasSharedClaim() {
    for (Claim claim : unserved) {
      if (claim.isShared()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a token is left for one more local holder, besides those of other claims. */
  boolean hasSpareToken() {
    return grant.hasSpareToken(unserved.size());
  }

  /** Returns when something is due about it. */
  long dueNanos() {
    Hold holder = hold;
    long due = Math.min(grant.validUntilNanos(), grant.renewDueNanos());
    due = Math.min(due, grant.idleUntilNanos);
    return holder == null ? due : Math.min(due, holder.endNanos());
  }
}
