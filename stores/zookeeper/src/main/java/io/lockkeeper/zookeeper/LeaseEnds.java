package io.lockkeeper.zookeeper;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ResourceId;

/** Knows of grants when they end, as far as this client can know. */
final class LeaseEnds {

  private final Connection connection;
  private final Paths paths;
  private final String clientId;
  private final LeaseObservations observations;
  private final OwnClaims mine;

  LeaseEnds(
      Connection connection,
      Paths paths,
      String clientId,
      LeaseObservations observations,
      OwnClaims mine) {
    this.connection = connection;
    this.paths = paths;
    this.clientId = clientId;
    this.observations = observations;
    this.mine = mine;
  }

  /** Returns when a grant ends. */
  long endNanos(ResourceId id, Entry entry, long now) {
    OwnClaims.Held held =
        entry.node().belongsTo(clientId, connection.sessionId())
            ? mine.held(id, entry.grant())
            : null;
    return held != null && held.stamp() == entry.stamp() && held.node().equals(entry.node())
        ? held.endNanos()
        : now + observations.leftNanos(paths.resource(id), entry);
  }

  /** Returns whether a grant is over. */
  boolean isOver(ResourceId id, Snapshot base, Entry entry, long now) {
    boolean excludesNobody = id.kind() == ResourceKind.BARRIER;
    if ((entry.covered() || excludesNobody) && base.missing().contains(entry.node())) {
      return true;
    }
    return endNanos(id, entry, now) - now <= 0;
  }

  /** Drops the grants that are over; returns whether there were any. */
  boolean drop(ResourceTransaction draft, long now) {
    return draft.drop(entry -> isOver(draft.id, draft.base, entry, now));
  }

  /** Drops what is over, and admits the claims that have room then. */
  void dropAndAdmit(ResourceTransaction draft, long now) {
    if (drop(draft, now)) {
      draft.admit();
    } else if (draft.base.exists() && draft.grants.isEmpty()) {
      draft.admit(); // the client that left it so has died before admitting the next
    }
  }
}
