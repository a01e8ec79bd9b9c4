package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ResourceId;
import java.util.List;

/** Makes the engine's grants of entries. */
final class Grants {

  private final OwnClaims mine;
  private final long originNanos;

  Grants(CasLoop steps, OwnClaims mine) {
    this.mine = mine;
    this.originNanos = steps.now() - 1_000_000_000L;
  }

  /**
   * Returns a moment as the engine's "store clock". It is this client's own clock, so that times
   * between two answers are real ones; it only has to be positive.
   */
  long micros(long nanos) {
    return (nanos - originNanos) / 1_000;
  }

  /**
   * Records a grant that this client wrote, and returns it with its whole lease, as the answer to a
   * question. The engine counts that from the question; so the time that lost races have taken
   * since is added.
   */
  Grant written(ResourceId id, Entry entry, CasLoop.Done done) {
    mine.held(id, entry, done.sentNanos());
    long leaseMicros = entry.leaseMillis() * 1_000 + done.lostNanos() / 1_000;
    return grant(id, entry, done, done.sentNanos(), leaseMicros);
  }

  /**
   * Records a grant that was written at a certain moment or later, and returns it with its whole
   * lease, for a client that did not request it.
   */
  Grant since(ResourceId id, Entry entry, CasLoop.Done done, long sinceNanos) {
    mine.held(id, entry, sinceNanos);
    return grant(id, entry, done, sinceNanos, entry.leaseMillis() * 1_000);
  }

  /** Records that a member of a barrier may go on, and returns its grant without asking for it. */
  Grant news(ResourceId id, long claim, OwnClaims.Place place, long heardNanos) {
    NodeName node = place.node();
    mine.held(id, claim, new OwnClaims.Held(node, 1, heardNanos, node.leaseMillis()));
    long token = ResourceRecord.firstToken(place.czxid());
    long lease = node.leaseMillis() * 1_000;
    return new Grant(claim, List.of(claim), token, token, micros(heardNanos), lease, false, true);
  }

  /**
   * Records that a claim which waited alone was admitted by a transaction, and returns its grant
   * without asking for it. It has the claim deadline, counted from when it was asked for.
   */
  Grant admitted(ResourceId id, long claim, OwnClaims.Place place, long zxid, long leaseMillis) {
    NodeName node = place.node();
    mine.held(id, claim, new OwnClaims.Held(node, 1, place.sentNanos(), leaseMillis));
    long first = ResourceRecord.firstToken(zxid);
    return new Grant(
        claim,
        List.of(claim),
        first,
        first + node.tokens() - 1,
        micros(place.sentNanos()),
        leaseMillis * 1_000,
        false,
        false);
  }

  /** Returns a grant with what is left of its lease for who asked at {@code askedNanos}. */
  Grant left(ResourceId id, Entry entry, CasLoop.Done done, long endNanos, long askedNanos) {
    long left = Math.min(entry.leaseMillis() * 1_000, (endNanos - askedNanos) / 1_000);
    return grant(id, entry, done, done.sentNanos(), Math.max(1, left));
  }

  private Grant grant(
      ResourceId id, Entry entry, CasLoop.Done done, long decidedNanos, long leaseMicros) {
    return new Grant(
        entry.grant(),
        entry.claims(),
        entry.firstToken(),
        entry.lastToken(),
        micros(decidedNanos),
        leaseMicros,
        othersWait(id, done),
        entry.confirmed());
  }

  /** Returns whether claims of others wait for a lock; this client's own are known here. */
  boolean othersWait(ResourceId id, CasLoop.Done done) {
    return id.isExclusive()
        && done.after().children() >= 0
        && done.after().waiting() > mine.queuedCount(id);
  }
}
