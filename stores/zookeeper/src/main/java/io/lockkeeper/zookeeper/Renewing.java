package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.zookeeper.CasLoop.Want;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** More time for grants, and fewer permits. */
final class Renewing {

  private final StoreContext context;
  private final CasLoop steps;
  private final OwnClaims mine;
  private final Notifications notifications;

  Renewing(StoreContext context, CasLoop steps, OwnClaims mine, Notifications notifications) {
    this.context = context;
    this.steps = steps;
    this.mine = mine;
    this.notifications = notifications;
  }

  /** Renews grants of one resource, all of them with one writing. */
  CompletableFuture<List<RenewAnswer>> renew(ResourceId id, List<RenewRequest> requests) {
    return steps.run(id, Want.KNOWN, draft -> decide(draft, requests));
  }

  private Function<CasLoop.Done, List<RenewAnswer>> decide(
      ResourceTransaction draft, List<RenewRequest> requests) {
    ResourceId id = draft.id;
    long now = steps.now();
    boolean freed = steps.ends().drop(draft, now);
    Set<RenewRequest> renewed = new HashSet<>();
    for (RenewRequest request : requests) {
      Entry entry = draft.find(owner(request), request.grant());
      if (entry != null && (request.owner() != null || draft.isMine(entry))) {
        freed |= extend(draft, entry, request, now);
        renewed.add(request);
      }
    }
    if (freed) {
      draft.admit();
    }
    return done -> requests.stream().map(one -> answer(id, one, renewed, done)).toList();
  }

  /** Extends a grant in the draft; returns whether that made permits free. */
  private boolean extend(ResourceTransaction draft, Entry entry, RenewRequest request, long now) {
    long left = steps.ends().endNanos(draft.id, entry, now) - now;
    long lease = Math.max(request.leaseMillis(), (left + 999_999) / 1_000_000);
    Entry after = draft.stamp(entry, lease, true);
    if (request.label() != null) {
      after = draft.replace(after, after.withLabel(request.label()));
    }
    boolean shrinks = request.permits() > 0 && request.permits() < after.permits();
    if (shrinks) {
      draft.replace(after, after.withPermits(request.permits()));
    }
    return shrinks;
  }

  private RenewAnswer answer(
      ResourceId id, RenewRequest request, Set<RenewRequest> renewed, CasLoop.Done done) {
    Entry written = renewed.contains(request) ? done.find(owner(request), request.grant()) : null;
    if (written != null && owner(request).equals(context.clientId())) {
      mine.held(id, written, done.sentNanos());
    }
    return new RenewAnswer(renewed.contains(request), notifications.grants().othersWait(id, done));
  }

  private String owner(RenewRequest request) {
    return request.owner() == null ? context.clientId() : request.owner();
  }
}
