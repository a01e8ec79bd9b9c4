package io.lockkeeper.zookeeper;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.support.Answers;
import io.lockkeeper.zookeeper.CasLoop.Want;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** This client's claims until they are granted: asked for, waiting, looked after. */
final class Claims {

  private final Paths paths;
  private final CasLoop steps;
  private final OwnClaims mine;
  private final Notifications notifications;
  private final Grants grants;
  private final ClaimQueue queue;
  private final Withdrawn withdrawn;

  Claims(
      Paths paths,
      CasLoop steps,
      OwnClaims mine,
      Notifications notifications,
      ClaimQueue queue,
      Withdrawn withdrawn) {
    this.paths = paths;
    this.steps = steps;
    this.mine = mine;
    this.notifications = notifications;
    this.grants = notifications.grants();
    this.queue = queue;
    this.withdrawn = withdrawn;
  }

  // ---------------------------------------------------------------- claim

  /** Returns whether a claim would have to queue, and may do so together with others. */
  boolean mayQueue(ClaimRequest request) {
    return !isWithdrawn(request) && isContended(request);
  }

  /** Returns whether nothing is known or supposed of a claim: it has not been sent before. */
  boolean isNew(ClaimRequest request) {
    ResourceId id = request.resource();
    long claim = request.claim();
    return !isWithdrawn(request)
        && !mine.isDoubtful(id, claim)
        && mine.place(id, claim) == null
        && mine.held(id, claim) == null;
  }

  private boolean isWithdrawn(ClaimRequest request) {
    return withdrawn.has(request.resource(), request.claim(), steps.now());
  }

  /** Claims, for who has been given a turn. */
  CompletableFuture<ClaimAnswer> claim(ClaimRequest request) {
    return queue.doubtedIfLost(request.resource(), request.claim(), claimInTurn(request));
  }

  private CompletableFuture<ClaimAnswer> claimInTurn(ClaimRequest request) {
    if (isWithdrawn(request)) {
      return CompletableFuture.completedFuture(new ClaimAnswer.Busy());
    }
    return isContended(request) ? join(request) : claim(request, firstPoll(request));
  }

  /**
   * Claims what is just being released, so that nobody has to wait for the release; null if that
   * leads to nothing.
   */
  CompletableFuture<@Nullable ClaimAnswer> claimAbsent(ClaimRequest request) {
    ResourceId id = request.resource();
    boolean isNew =
        !mine.isDoubtful(id, request.claim()) && mine.place(id, request.claim()) == null;
    return isNew && id.kind() != ResourceKind.BARRIER
        ? queue.doubtedIfLost(
            id,
            request.claim(),
            steps
                .<@Nullable ClaimAnswer>stepOnAbsent(id, draft -> decide(draft, request))
                .thenApply(answer -> answer instanceof ClaimAnswer.Granted ? answer : null))
        : CompletableFuture.completedFuture(null);
  }

  /** Returns whether a claim would have to queue, as far as this client has seen lately. */
  private boolean isContended(ClaimRequest request) {
    ResourceId id = request.resource();
    long claim = request.claim();
    boolean isBarrier = id.kind() == ResourceKind.BARRIER;
    return request.queue()
        && (isBarrier || queue.isContended(id))
        && !mine.isDoubtful(id, claim)
        && mine.place(id, claim) == null
        && mine.held(id, claim) == null;
  }

  /** Goes to the end of the queue and asks how things are there, both in one round trip. */
  private CompletableFuture<ClaimAnswer> join(ClaimRequest request) {
    ResourceId id = request.resource();
    String name = steps.waitingName(request);
    long sentNanos = steps.now();
    CompletableFuture<Boolean> made =
        steps
            .enqueue(paths.resource(id), name)
            .thenApply(
                node -> {
                  queue.place(id, request.claim(), node, sentNanos);
                  return true;
                })
            .exceptionallyCompose(
                failure ->
                    ZkFailures.isMissing(failure)
                        ? CompletableFuture.completedFuture(false)
                        : CompletableFuture.failedFuture(Answers.cause(failure)));
    CompletableFuture<ClaimAnswer> looked =
        steps.step(id, afterQueueing(id), draft -> decideQueued(draft, request));
    return made.thenCompose(is -> is ? looked : claim(request, Want.ABSENT));
  }

  /**
   * As {@link #join(ClaimRequest)}, for claims of one resource; without answers if its node went
   * away.
   */
  CompletableFuture<List<ClaimAnswer>> join(List<ClaimRequest> requests) {
    ResourceId id = requests.get(0).resource();
    CompletableFuture<Boolean> made = queue.enqueueAll(requests);
    CompletableFuture<List<ClaimAnswer>> looked =
        steps.step(id, Want.RECORD, draft -> decideQueued(draft, requests));
    return made.thenCombine(looked, (is, answers) -> is ? answers : List.<ClaimAnswer>of())
        .whenComplete(
            (answers, failure) -> {
              if (failure != null) {
                requests.forEach(request -> mine.doubt(id, request.claim()));
              }
            });
  }

  /** Returns what to read then: a record that says that all is taken says enough. */
  private static Want afterQueueing(ResourceId id) {
    return id.kind() == ResourceKind.BARRIER ? Want.ALL : Want.RECORD;
  }

  private Want firstPoll(ClaimRequest request) {
    ResourceId id = request.resource();
    if (mine.isDoubtful(id, request.claim())) {
      return Want.SETTLED;
    }
    boolean isThere = mine.isKnown(id) || id.kind() == ResourceKind.BARRIER;
    return isThere ? Want.HOLDERS : Want.ABSENT;
  }

  private CompletableFuture<ClaimAnswer> claim(ClaimRequest request, Want want) {
    ResourceId id = request.resource();
    return steps
        .<@Nullable ClaimAnswer>step(id, want, draft -> decide(draft, request))
        .thenCompose(
            answer -> {
              if (want == Want.ABSENT && answer instanceof ClaimAnswer.Busy) {
                return claim(request, Want.HOLDERS); // that was only supposed
              }
              if (answer instanceof Queued queued) {
                return queue.located(id, request.claim(), queued);
              }
              return answer == null
                  ? enqueueAndLook(request)
                  : CompletableFuture.completedFuture(answer);
            });
  }

  /** Decides what becomes of a claim; an answer of null means that it has to queue. */
  private Function<CasLoop.Done, @Nullable ClaimAnswer> decide(
      ResourceTransaction draft, ClaimRequest request) {
    Function<CasLoop.Done, ClaimAnswer> decided = decideClaim(draft, request);
    return done -> decided == null ? null : decided.apply(done);
  }

  /** Decides what becomes of a claim; null means that it has to queue. */
  @Nullable Function<CasLoop.Done, ClaimAnswer> decideClaim(
      ResourceTransaction draft, ClaimRequest request) {
    ResourceId id = request.resource();
    steps.ends().dropAndAdmit(draft, steps.now());
    Entry granted = draft.mine(request.claim());
    if (granted != null) {
      return confirm(draft, granted, request.leaseMillis());
    }
    NodeName found = draft.waitingNode(request.claim());
    if (found != null || mine.place(id, request.claim()) != null) {
      if (found != null) {
        queue.found(draft, request.claim(), found);
      }
      return done -> queue.queued(id, request.claim(), done);
    }
    draft.limit().suggest(request.share().limit());
    if (draft.mayEnter(request)) {
      Entry fresh = draft.grantAtOnce(request);
      return done -> grantedAtOnce(id, fresh, done);
    }
    draft.demandQueueIfFree();
    return request.queue() ? null : done -> new ClaimAnswer.Busy();
  }

  private ClaimAnswer grantedAtOnce(ResourceId id, Entry fresh, CasLoop.Done done) {
    Entry entry = done.written(fresh);
    Grant grant = grants.written(id, entry, done);
    notifications.watchIfKept(id, fresh.grant(), fresh.node().text());
    return new ClaimAnswer.Granted(grant);
  }

  private Function<CasLoop.Done, @Nullable ClaimAnswer> confirm(
      ResourceTransaction draft, Entry granted, long leaseMillis) {
    long now = steps.now();
    long left = steps.ends().endNanos(draft.id, granted, now) - now;
    long lease = Math.max(leaseMillis, (left + 999_999) / 1_000_000);
    Entry after = draft.stamp(granted, lease, true);
    return done -> new ClaimAnswer.Granted(grants.written(draft.id, done.written(after), done));
  }

  private CompletableFuture<ClaimAnswer> enqueueAndLook(ClaimRequest request) {
    ResourceId id = request.resource();
    return queue
        .enqueue(request)
        .thenCompose(
            made ->
                made
                    ? steps.step(id, afterQueueing(id), draft -> decideQueued(draft, request))
                    : claim(request, Want.ABSENT));
  }

  /** Decides about a claim that has just come into the queue. */
  private Function<CasLoop.Done, ClaimAnswer> decideQueued(
      ResourceTransaction draft, ClaimRequest request) {
    Function<CasLoop.Done, List<ClaimAnswer>> all = decideQueued(draft, List.of(request));
    return done -> all.apply(done).get(0);
  }

  /** Decides about claims that have just come into the queue, one directly behind the other. */
  private Function<CasLoop.Done, List<ClaimAnswer>> decideQueued(
      ResourceTransaction draft, List<ClaimRequest> requests) {
    ResourceId id = draft.id;
    steps.ends().dropAndAdmit(draft, steps.now());
    draft.limit().suggest(requests.get(0).share().limit());
    draft.admit();
    Map<Long, Entry> stamped = new HashMap<>();
    for (ClaimRequest request : requests) {
      Entry granted = draft.mine(request.claim());
      if (granted != null) {
        stamped.computeIfAbsent(granted.grant(), grant -> stampQueued(draft, granted, request));
      }
    }
    List<@Nullable Entry> granted =
        requests.stream().<@Nullable Entry>map(request -> draft.mine(request.claim())).toList();
    return done -> {
      List<ClaimAnswer> answers = new ArrayList<>();
      for (int i = 0; i < requests.size(); i++) {
        Entry entry = granted.get(i);
        answers.add(
            entry != null
                ? new ClaimAnswer.Granted(grants.written(id, done.written(entry), done))
                : queue.queued(id, requests.get(i).claim(), done));
      }
      return answers;
    };
  }

  /** Writes a grant anew to which a claim belongs that has just come into the queue. */
  private static Entry stampQueued(ResourceTransaction draft, Entry granted, ClaimRequest request) {
    boolean isRun = granted.grant() != request.claim();
    return isRun
        ? draft.stamp(granted, granted.leaseMillis(), granted.confirmed())
        : draft.stamp(granted, request.leaseMillis(), true);
  }

  // ---------------------------------------------------------------- look

  CompletableFuture<PollAnswer> poll(ResourceId id, long claim) {
    long asked = steps.now();
    return steps
        .run(id, Want.HOLDERS, draft -> decidePoll(draft, claim, asked))
        .thenApply(answer -> answer instanceof Queued queued ? queue.asOf(asked, queued) : answer);
  }

  private Function<CasLoop.Done, PollAnswer> decidePoll(
      ResourceTransaction draft, long claim, long asked) {
    ResourceId id = draft.id;
    steps.ends().dropAndAdmit(draft, steps.now());
    if (!draft.kind.isExclusive() && mine.place(id, claim) != null) {
      draft.admit(); // perhaps somebody who was in the way has died
    }
    Entry entry = draft.kind.isExclusive() ? draft.anyOfMine() : draft.mine(claim);
    if (entry != null && mine.isHeld(id, entry)) {
      long end = steps.ends().endNanos(id, entry, asked);
      return done -> new PollAnswer.Granted(grants.left(id, entry, done, end, asked));
    }
    if (entry != null) {
      Entry after = draft.stamp(entry, entry.leaseMillis(), entry.confirmed());
      return done -> new PollAnswer.Granted(grants.written(id, done.written(after), done));
    }
    if (mine.place(id, claim) == null) {
      return done -> new PollAnswer.Gone();
    }
    if (draft.grants.isEmpty() || !draft.kind.isExclusive()) {
      draft.demandQueue();
    }
    if (draft.queue() != null && draft.waitingNode(claim) == null) {
      return done -> {
        mine.gone(id, claim);
        return new PollAnswer.Gone();
      };
    }
    return done -> queue.queued(id, claim, done);
  }
}
