package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.zookeeper.Steps.Want;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** More time for grants, and fewer permits. */
final class Renewing {

  private final StoreContext context;
  private final Steps steps;
  private final Mine mine;
  private final Hints hints;

  Renewing(StoreContext context, Steps steps, Mine mine, Hints hints) {
    this.context = context;
    this.steps = steps;
    this.mine = mine;
    this.hints = hints;
  }

  CompletableFuture<RenewAnswer> renew(RenewRequest request) {
    return steps.run(request.resource(), Want.KNOWN, draft -> decide(draft, request));
  }

  private Function<Steps.Done, RenewAnswer> decide(Draft draft, RenewRequest request) {
    String id = draft.id;
    long now = steps.now();
    boolean freed = draft.drop(entry -> steps.isOver(id, draft.base, entry, now));
    String owner = request.owner() == null ? context.clientId() : request.owner();
    Entry entry = draft.find(owner, request.grant());
    if (entry == null || (request.owner() == null && !draft.isMine(entry))) {
      if (freed) {
        draft.admit();
      }
      return done -> new RenewAnswer(false, hints.grants().othersWait(id, done));
    }
    long left = steps.endNanos(id, entry, now) - now;
    long lease = Math.max(request.leaseMillis(), (left + 999_999) / 1_000_000);
    Entry after = draft.stamp(entry, lease, true);
    if (request.permits() > 0 && request.permits() < after.permits()) {
      draft.replace(after, after.withPermits(request.permits()));
      freed = true;
    }
    if (freed) {
      draft.admit();
    }
    return done -> {
      Entry written = done.find(owner, request.grant());
      if (written != null && owner.equals(context.clientId())) {
        mine.held(id, written, done.sentNanos());
      }
      return new RenewAnswer(true, hints.grants().othersWait(id, done));
    };
  }
}
