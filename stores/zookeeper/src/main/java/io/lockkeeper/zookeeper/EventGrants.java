package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;

/**
 * The grants of locks that are reported before their record is read, because an event says all
 * about them. That saves the waiter a round trip; the record, which the release needs, is read
 * while the lock is held.
 *
 * <p>A claim that waits alone in its client is granted alone. What is written first into its letter
 * box says that it was, by the transaction that gave it its first token. And a claim that was made
 * lately has nearly all of its lease before it, whenever it was granted. Servers before 3.9 do not
 * tell the transaction.
 */
final class EventGrants {

  private final StoreContext context;
  private final CasLoop steps;
  private final OwnClaims mine;
  private final StepQueues turns;
  private final Grants grants;
  private final Notifications notifications;
  private final RecentContention contention;

  EventGrants(
      StoreContext context,
      CasLoop steps,
      OwnClaims mine,
      StepQueues turns,
      Grants grants,
      Notifications notifications,
      RecentContention contention) {
    this.context = context;
    this.steps = steps;
    this.mine = mine;
    this.turns = turns;
    this.grants = grants;
    this.notifications = notifications;
    this.contention = contention;
  }

  /**
   * Tells the grant of a claim that a transaction has admitted; returns false if it has to be read.
   */
  boolean tell(ResourceId id, long claim, String node, long zxid) {
    // Where nothing is under way, no other claim can have come into the queue unnoticed.
    boolean isAlone = id.isExclusive() && turns.isIdle(id);
    OwnClaims.Place place = isAlone ? mine.onlyPlace(id, claim) : null;
    if (place == null
        || !place.node().text().equals(node)
        || zxid <= 0
        || mine.haveTokensRunAhead()) {
      return false;
    }
    long deadlineMillis = context.timings().claimDeadlineMillis();
    long leaseMillis = Math.min(place.node().leaseMillis(), deadlineMillis);
    if (!place.isRecent(leaseMillis, steps.now())) {
      return false;
    }
    Grant grant = grants.admitted(id, claim, place, zxid, leaseMillis);
    readAfterwards(id, claim);
    notifications.listener().granted(id, grant);
    return true;
  }

  /** Reads the record before anything else is done: others may wait. */
  private void readAfterwards(ResourceId id, long claim) {
    ZkFailures.unheard(steps.run(id, CasLoop.Want.RECORD, draft -> done -> learn(id, claim, done)));
  }

  private boolean learn(ResourceId id, long claim, CasLoop.Done done) {
    Entry entry = done.find(context.clientId(), claim);
    boolean isHeld = entry != null && mine.isHeld(id, entry);
    if (isHeld) {
      mine.remember(id, done.after());
      if (grants.othersWait(id, done)) {
        contention.seen(id, steps.now());
        notifications.listener().contended(id);
      }
    }
    return isHeld;
  }
}
