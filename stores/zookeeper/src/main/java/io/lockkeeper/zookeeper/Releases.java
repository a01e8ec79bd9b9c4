package io.lockkeeper.zookeeper;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.zookeeper.CasLoop.Want;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The ends of this client's grants, and of others' by operators who name their owner. */
final class Releases {

  private final Connection connection;
  private final Paths paths;
  private final StoreContext context;
  private final CasLoop steps;
  private final OwnClaims mine;
  private final StepQueues turns;
  private final Grants grants;
  private final ClaimQueue queue;

  Releases(
      Connection connection,
      Paths paths,
      StoreContext context,
      CasLoop steps,
      OwnClaims mine,
      StepQueues turns,
      Notifications notifications,
      ClaimQueue queue) {
    this.connection = connection;
    this.paths = paths;
    this.context = context;
    this.steps = steps;
    this.mine = mine;
    this.turns = turns;
    this.grants = notifications.grants();
    this.queue = queue;
  }

  /** Releases with a turn of its own. */
  CompletableFuture<ReleaseAnswer> release(ReleaseRequest request) {
    ResourceId id = request.resource();
    ClaimRequest requeue = request.requeue();
    long asked = steps.now();
    if (requeue == null) {
      OwnClaims.@Nullable Held held = mine.held(id, request.grant());
      boolean isBarrier = id.kind() == ResourceKind.BARRIER;
      return turns.inTurn(
          id,
          () ->
              isBarrier && held != null && request.owner() == null
                  ? leaveBarrier(id, request.grant(), held)
                  : releaseNow(request));
    }
    return turns
        .inTurn(id, () -> releaseAndQueue(request, requeue))
        .thenApply(
            answer -> {
              Queued requeued = answer.requeued();
              return requeued == null
                  ? answer
                  : new ReleaseAnswer(
                      answer.released(), answer.next(), queue.asOf(asked, requeued));
            });
  }

  /** Releases, for who has been given a turn. */
  CompletableFuture<ReleaseAnswer> releaseNow(ReleaseRequest request) {
    ResourceId id = request.resource();
    return steps.step(id, knownOrMore(id), draft -> decideRelease(draft, request));
  }

  /**
   * Returns what to read for a release: who waits has to be asked if anybody may, and what this
   * client knows does not say who is next.
   */
  Want knownOrMore(ResourceId id) {
    Snapshot known = id.isExclusive() ? mine.remembered(id) : null;
    boolean saysWhoIsNext =
        known != null && (known.queue() != null || !known.doc().ahead().isEmpty());
    return !saysWhoIsNext && queue.isContended(id) ? Want.ALL : Want.KNOWN;
  }

  /** Ends the grant of a barrier: nobody waits for that, so any later step may note it. */
  private CompletableFuture<ReleaseAnswer> leaveBarrier(
      ResourceId id, long grant, OwnClaims.Held held) {
    String path = paths.resource(id) + "/" + held.node().text();
    boolean inTime = held.endNanos() - steps.now() > 0;
    steps.leaves(path);
    return connection
        .delete(path, -1)
        .thenApply(gone -> inTime)
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure))
        .thenApply(
            released -> {
              mine.gone(id, grant);
              return new ReleaseAnswer(released, null, null);
            });
  }

  private CompletableFuture<ReleaseAnswer> releaseAndQueue(
      ReleaseRequest request, ClaimRequest requeue) {
    ResourceId id = request.resource();
    boolean isKnown =
        mine.place(id, requeue.claim()) != null || mine.held(id, requeue.claim()) != null;
    CompletableFuture<Boolean> queued =
        isKnown ? CompletableFuture.completedFuture(true) : enqueueOnce(requeue);
    return queued.thenCompose(
        made -> steps.step(id, Want.HOLDERS, draft -> decideRelease(draft, request)));
  }

  private CompletableFuture<Boolean> enqueueOnce(ClaimRequest requeue) {
    ResourceId id = requeue.resource();
    CompletableFuture<Boolean> made =
        steps
            .step(
                id,
                mine.isDoubtful(id, requeue.claim()) ? Want.SETTLED : Want.RECORD,
                draft -> {
                  NodeName found = draft.waitingNode(requeue.claim());
                  if (found != null) {
                    queue.found(draft, requeue.claim(), found);
                  }
                  boolean isThere = found != null || draft.mine(requeue.claim()) != null;
                  return done -> isThere;
                })
            .thenCompose(
                isThere ->
                    isThere
                        ? queue.locate(id, requeue.claim()).thenApply(located -> true)
                        : enqueueUntilThere(requeue));
    return queue.doubtedIfLost(id, requeue.claim(), made);
  }

  private CompletableFuture<Boolean> enqueueUntilThere(ClaimRequest requeue) {
    return queue
        .enqueue(requeue)
        .thenCompose(
            made -> made ? CompletableFuture.completedFuture(true) : enqueueUntilThere(requeue));
  }

  Function<CasLoop.Done, ReleaseAnswer> decideRelease(
      ResourceTransaction draft, ReleaseRequest request) {
    ResourceId id = draft.id;
    boolean dropped = steps.ends().drop(draft, steps.now());
    String owner = request.owner() == null ? context.clientId() : request.owner();
    Entry ended = draft.find(owner, request.grant());
    if (ended != null && request.owner() == null && !draft.isMine(ended)) {
      ended = null; // of an earlier session
    }
    if (ended != null && draft.kind.isExclusive() && !request.isAbout(ended.firstToken())) {
      ended = null; // an earlier grant of that number is meant
    }
    boolean isRepeated = request.restMillis() > 0 && rests(draft, request);
    boolean released = ended != null;
    if (ended != null && request.restMillis() > 0) {
      draft.rest(ended, request.restMillis());
    } else if (ended != null) {
      if (draft.kind.isExclusive()) {
        draft.giveBack(ended, request.usedToken());
      }
      draft.end(ended);
    }
    ClaimRequest requeue = request.requeue();
    if (released || dropped || requeue != null) {
      draft.admit();
    }
    Entry next = draft.kind.isExclusive() ? draft.anyOfMine() : null;
    boolean isNews = next != null && !mine.isHeld(id, next);
    Entry told =
        next != null && isNews && draft.base.doc().grants().contains(next)
            ? draft.stamp(next, next.leaseMillis(), next.confirmed())
            : next;
    long asked = steps.now();
    return done -> {
      if (released && owner.equals(context.clientId())) {
        mine.gone(id, request.grant());
      }
      return new ReleaseAnswer(
          released || isRepeated,
          told == null ? null : next(id, told, isNews, done, asked),
          requeue == null || covers(told, requeue.claim())
              ? null
              : queue.queued(id, requeue.claim(), done));
    };
  }

  /** Returns whether the lock rests as a request says, which came before. */
  private boolean rests(ResourceTransaction draft, ReleaseRequest request) {
    Entry resting = draft.find(Inspection.Holder.resting(context.clientId()), request.grant());
    return resting != null && request.isAbout(resting.firstToken());
  }

  private Grant next(ResourceId id, Entry told, boolean isNews, CasLoop.Done done, long asked) {
    Entry entry = done.written(told);
    return isNews
        ? grants.written(id, entry, done)
        : grants.left(id, entry, done, steps.ends().endNanos(id, entry, asked), asked);
  }

  private static boolean covers(@Nullable Entry entry, long claim) {
    return entry != null && entry.claims().contains(claim);
  }
}
