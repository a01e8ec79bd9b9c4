package io.lockkeeper.zookeeper;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Done;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.support.Answers;
import io.lockkeeper.zookeeper.Steps.Want;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.jspecify.annotations.Nullable;

/** The life of this client's claims: asked, waiting, granted, released, withdrawn. */
final class Claims {

  /** Up to how many waiting claims each tells the holder that it waits: the first must be known. */
  private static final int FEW = 4;

  private final Connection connection;
  private final Paths paths;
  private final StoreContext context;
  private final Steps steps;
  private final Mine mine;
  private final Turns turns;
  private final Notifications notifications;
  private final Grants grants;
  private final Crowds crowds = new Crowds();
  private final Withdrawn withdrawn = new Withdrawn();

  Claims(
      Connection connection,
      Paths paths,
      StoreContext context,
      Steps steps,
      Mine mine,
      Turns turns,
      Notifications notifications) {
    this.connection = connection;
    this.paths = paths;
    this.context = context;
    this.steps = steps;
    this.mine = mine;
    this.turns = turns;
    this.notifications = notifications;
    this.grants = notifications.grants();
  }

  // ---------------------------------------------------------------- claim

  CompletableFuture<ClaimAnswer> claim(ClaimRequest request) {
    ResourceId id = request.resource();
    long asked = steps.now();
    return turns
        .<ClaimAnswer>inTurn(
            id,
            () -> doubtedIfLost(id, request.claim(), claimAbsent(request)),
            () -> doubtedIfLost(id, request.claim(), claimInTurn(request)))
        .thenApply(answer -> answer instanceof Queued queued ? asOf(asked, queued) : answer);
  }

  /**
   * Takes note that a claim is in doubt if nothing is heard of it. The turn ends after that: the
   * next may be of the same claim, sent again, which would not look for the first and be made
   * twice.
   */
  private <T> CompletableFuture<T> doubtedIfLost(
      ResourceId id, long claim, CompletableFuture<T> asked) {
    return asked.whenComplete(
        (answer, failure) -> {
          if (failure != null) {
            mine.doubt(id, claim);
          }
        });
  }

  private CompletableFuture<ClaimAnswer> claimInTurn(ClaimRequest request) {
    if (withdrawn.has(request.resource(), request.claim(), steps.now())) {
      return CompletableFuture.completedFuture(new ClaimAnswer.Busy());
    }
    return isCrowded(request) ? join(request) : claim(request, firstPoll(request));
  }

  /** Claims what is just being released, so that nobody has to wait for the release. */
  private CompletableFuture<@Nullable ClaimAnswer> claimAbsent(ClaimRequest request) {
    ResourceId id = request.resource();
    boolean isNew =
        !mine.isDoubtful(id, request.claim()) && mine.place(id, request.claim()) == null;
    return isNew && id.kind() != ResourceKind.BARRIER
        ? steps
            .<@Nullable ClaimAnswer>stepOnAbsent(id, draft -> decideClaim(draft, request))
            .thenApply(answer -> answer instanceof ClaimAnswer.Granted ? answer : null)
        : CompletableFuture.completedFuture(null);
  }

  /** Returns whether a claim would have to queue, as far as this client has seen lately. */
  private boolean isCrowded(ClaimRequest request) {
    ResourceId id = request.resource();
    long claim = request.claim();
    boolean isBarrier = id.kind() == ResourceKind.BARRIER;
    return request.queue()
        && (isBarrier || crowds.isCrowded(id, steps.now()))
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
                  place(id, request.claim(), node.path(), node.stat().getCzxid(), sentNanos);
                  return true;
                })
            .exceptionallyCompose(
                failure ->
                    Failures.isMissing(failure)
                        ? CompletableFuture.completedFuture(false)
                        : CompletableFuture.failedFuture(Answers.cause(failure)));
    CompletableFuture<ClaimAnswer> looked =
        steps.step(id, afterQueueing(id), draft -> decideQueued(draft, request));
    return made.thenCompose(is -> is ? looked : claim(request, Want.ABSENT));
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
        .<@Nullable ClaimAnswer>step(id, want, draft -> decideClaim(draft, request))
        .thenCompose(
            answer -> {
              if (want == Want.ABSENT && answer instanceof ClaimAnswer.Busy) {
                return claim(request, Want.HOLDERS); // that was only supposed
              }
              return answer == null
                  ? enqueueAndLook(request)
                  : CompletableFuture.completedFuture(answer);
            });
  }

  /** Decides what becomes of a claim; an answer of null means that it has to queue. */
  private Function<Steps.Done, @Nullable ClaimAnswer> decideClaim(
      Draft draft, ClaimRequest request) {
    ResourceId id = request.resource();
    notice(draft);
    Entry granted = draft.mine(request.claim());
    if (granted != null) {
      return confirm(draft, granted, request.leaseMillis());
    }
    NodeName found = draft.waitingNode(request.claim());
    if (found != null || mine.place(id, request.claim()) != null) {
      if (found != null && mine.place(id, request.claim()) == null) {
        mine.queued(
            id, request.claim(), new Mine.Place(found, draft.base.zxid(), Mine.Place.UNKNOWN));
        notifications.watch(id, request.claim(), found.text());
      }
      return done -> queued(id, request.claim(), done);
    }
    draft.suggestLimit(request.share().limit());
    if (draft.mayEnter(request)) {
      Entry fresh = draft.grantAtOnce(request);
      return done -> grantedAtOnce(id, fresh, done);
    }
    draft.demandQueueIfFree();
    return done -> request.queue() ? null : new ClaimAnswer.Busy();
  }

  private ClaimAnswer grantedAtOnce(ResourceId id, Entry fresh, Steps.Done done) {
    Entry entry = written(done, fresh);
    Grant grant = grants.written(id, entry, done);
    notifications.watchIfKept(id, fresh.grant(), fresh.node().text());
    return new ClaimAnswer.Granted(grant);
  }

  private Function<Steps.Done, @Nullable ClaimAnswer> confirm(
      Draft draft, Entry granted, long leaseMillis) {
    long now = steps.now();
    long left = steps.endNanos(draft.id, granted, now) - now;
    long lease = Math.max(leaseMillis, (left + 999_999) / 1_000_000);
    Entry after = draft.stamp(granted, lease, true);
    return done -> new ClaimAnswer.Granted(grants.written(draft.id, written(done, after), done));
  }

  private CompletableFuture<ClaimAnswer> enqueueAndLook(ClaimRequest request) {
    ResourceId id = request.resource();
    return enqueue(request)
        .thenCompose(
            made ->
                made
                    ? steps.step(id, afterQueueing(id), draft -> decideQueued(draft, request))
                    : claim(request, Want.ABSENT));
  }

  /** Puts a claim into the queue; false if the resource's node went away meanwhile. */
  private CompletableFuture<Boolean> enqueue(ClaimRequest request) {
    ResourceId id = request.resource();
    String path = paths.resource(id);
    String name = steps.waitingName(request);
    long sentNanos = steps.now();
    return steps
        .enqueue(path, name)
        .thenApply(
            made -> {
              place(id, request.claim(), made.path(), made.stat().getCzxid(), sentNanos);
              return true;
            })
        .exceptionallyCompose(
            failure ->
                Failures.isMissing(failure)
                    ? begin(request, path, name)
                    : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  /** Makes a resource's node together with its first claim that waits. */
  private CompletableFuture<Boolean> begin(ClaimRequest request, String path, String name) {
    ResourceId id = request.resource();
    Doc doc = new Doc(0, request.share().limit(), false, "", List.of(), List.of(), List.of());
    List<Op> ops =
        List.of(
            Op.create(path, doc.write(), connection.settings().acl(), CreateMode.CONTAINER),
            Op.create(
                path + "/" + name,
                new byte[0],
                connection.settings().acl(),
                CreateMode.EPHEMERAL_SEQUENTIAL));
    long sentNanos = steps.now();
    return connection
        .multi(ops, connection.sessionId())
        .thenApply(
            results -> {
              if (results.get(0) instanceof OpResult.CreateResult node
                  && results.get(1) instanceof OpResult.CreateResult child) {
                long arrival = node.getStat() == null ? 0 : node.getStat().getCzxid();
                place(id, request.claim(), child.getPath(), arrival, sentNanos);
              }
              return true;
            })
        .exceptionallyCompose(
            failure -> {
              if (Failures.isMissing(failure)) {
                return connection
                    .createFolder(paths.folder(id))
                    .thenCompose(made -> begin(request, path, name));
              }
              return Failures.isConflict(failure)
                  ? CompletableFuture.completedFuture(false)
                  : CompletableFuture.failedFuture(Answers.cause(failure));
            });
  }

  private void place(ResourceId id, long claim, String path, long arrival, long sentNanos) {
    NodeName node = NodeName.parse(path.substring(path.lastIndexOf('/') + 1));
    if (node != null) {
      mine.queued(id, claim, new Mine.Place(node, arrival, sentNanos));
      notifications.watch(id, claim, node.text());
    }
  }

  /** Decides about a claim that has just come into the queue. */
  private Function<Steps.Done, ClaimAnswer> decideQueued(Draft draft, ClaimRequest request) {
    ResourceId id = request.resource();
    notice(draft);
    draft.suggestLimit(request.share().limit());
    draft.admit();
    Entry granted = draft.mine(request.claim());
    if (granted != null) {
      boolean isRun = granted.grant() != request.claim();
      Entry after =
          isRun
              ? draft.stamp(granted, granted.leaseMillis(), granted.confirmed())
              : draft.stamp(granted, request.leaseMillis(), true);
      return done -> new ClaimAnswer.Granted(grants.written(id, written(done, after), done));
    }
    return done -> queued(id, request.claim(), done);
  }

  private Queued queued(ResourceId id, long claim, Steps.Done done) {
    Mine.Place place = mine.place(id, claim);
    crowds.seen(id, steps.now());
    tellHolder(id, place, done);
    return new Queued(
        grants.micros(done.sentNanos()),
        firstEndMicros(id, done),
        place == null ? 0 : place.arrival());
  }

  private long firstEndMicros(ResourceId id, Steps.Done done) {
    long now = steps.now();
    return done.after().doc().grants().stream()
        .mapToLong(entry -> Math.max(1, (steps.endNanos(id, entry, now) - now) / 1_000))
        .min()
        .orElse(context.timings().heartbeatMillis() * 1_000);
  }

  /** Tells the holder of a lock that this client waits, if it is the first or may be. */
  private void tellHolder(ResourceId id, Mine.@Nullable Place place, Steps.Done done) {
    Doc doc = done.after().doc();
    if (!id.isExclusive() || doc.grants().isEmpty() || place == null) {
      return;
    }
    Entry holder = doc.grants().get(0);
    boolean first =
        done.after().waiting() <= FEW
            || (!doc.ahead().isEmpty() && doc.ahead().get(0).equals(place.node()));
    if (first && holder.hasTokensToSpare() && !holder.node().client().equals(context.clientId())) {
      String letterBox = paths.resource(id) + "/" + holder.node().text();
      Failures.unheard(connection.write(letterBox, Notifications.CONTENDED, -1));
    }
  }

  // ---------------------------------------------------------------- look

  CompletableFuture<PollAnswer> poll(ResourceId id, long claim) {
    long asked = steps.now();
    return steps
        .run(id, Want.HOLDERS, draft -> decidePoll(draft, claim, asked))
        .thenApply(answer -> answer instanceof Queued queued ? asOf(asked, queued) : answer);
  }

  /**
   * Returns an answer with the time of the question as the store's time. The engine compares both
   * to learn how far apart two clocks may be; here they are one clock, so what goes by between
   * question and answer would only make it count the next grant's lease from too early a moment.
   */
  private Queued asOf(long askedNanos, Queued queued) {
    return new Queued(grants.micros(askedNanos), queued.holderMicros(), queued.arrival());
  }

  private Function<Steps.Done, PollAnswer> decidePoll(Draft draft, long claim, long asked) {
    ResourceId id = draft.id;
    notice(draft);
    if (!draft.kind.isExclusive() && mine.place(id, claim) != null) {
      draft.admit(); // perhaps somebody who was in the way has died
    }
    Entry entry = draft.kind.isExclusive() ? draft.anyOfMine() : draft.mine(claim);
    if (entry != null && notifications.isHeld(id, entry)) {
      long end = steps.endNanos(id, entry, asked);
      return done -> new PollAnswer.Granted(grants.left(id, entry, done, end, asked));
    }
    if (entry != null) {
      Entry after = draft.stamp(entry, entry.leaseMillis(), entry.confirmed());
      return done -> new PollAnswer.Granted(grants.written(id, written(done, after), done));
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
    return done -> queued(id, claim, done);
  }

  // ---------------------------------------------------------------- release

  CompletableFuture<ReleaseAnswer> release(ReleaseRequest request) {
    ResourceId id = request.resource();
    ClaimRequest requeue = request.requeue();
    long asked = steps.now();
    if (requeue == null) {
      Mine.@Nullable Held held = mine.held(id, request.grant());
      boolean isBarrier = id.kind() == ResourceKind.BARRIER;
      return isBarrier && held != null && request.owner() == null
          ? turns.inTurn(id, () -> leaveBarrier(id, request.grant(), held))
          : steps.run(id, knownOrMore(id), draft -> decideRelease(draft, request));
    }
    return turns
        .inTurn(id, () -> releaseAndQueue(request, requeue))
        .thenApply(
            answer -> {
              Queued requeued = answer.requeued();
              return requeued == null
                  ? answer
                  : new ReleaseAnswer(answer.released(), answer.next(), asOf(asked, requeued));
            });
  }

  /** Returns what to read for a release: who waits for a share has to be asked if anybody may. */
  private Want knownOrMore(ResourceId id) {
    return !id.isExclusive() && crowds.isCrowded(id, steps.now()) ? Want.ALL : Want.KNOWN;
  }

  /** Ends the grant of a barrier: nobody waits for that, so whoever passes may note it. */
  private CompletableFuture<ReleaseAnswer> leaveBarrier(ResourceId id, long grant, Mine.Held held) {
    String path = paths.resource(id) + "/" + held.node().text();
    boolean inTime = held.endNanos() - steps.now() > 0;
    steps.leaves(path);
    return connection
        .delete(path, -1)
        .thenApply(gone -> inTime)
        .exceptionallyCompose(
            failure ->
                Failures.isMissing(failure)
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
                    mine.queued(
                        id,
                        requeue.claim(),
                        new Mine.Place(found, draft.base.zxid(), Mine.Place.UNKNOWN));
                    notifications.watch(id, requeue.claim(), found.text());
                  }
                  boolean isThere = found != null || draft.mine(requeue.claim()) != null;
                  return done -> isThere;
                })
            .thenCompose(
                isThere ->
                    isThere ? CompletableFuture.completedFuture(true) : enqueueUntilThere(requeue));
    return doubtedIfLost(id, requeue.claim(), made);
  }

  private CompletableFuture<Boolean> enqueueUntilThere(ClaimRequest requeue) {
    return enqueue(requeue)
        .thenCompose(
            made -> made ? CompletableFuture.completedFuture(true) : enqueueUntilThere(requeue));
  }

  private Function<Steps.Done, ReleaseAnswer> decideRelease(Draft draft, ReleaseRequest request) {
    ResourceId id = draft.id;
    boolean dropped = drop(draft);
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
    boolean isNews = next != null && !notifications.isHeld(id, next);
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
              : queued(id, requeue.claim(), done));
    };
  }

  /** Returns whether the lock rests as a request says, which came before. */
  private boolean rests(Draft draft, ReleaseRequest request) {
    Entry resting = draft.find(Inspection.Holder.resting(context.clientId()), request.grant());
    return resting != null && request.isAbout(resting.firstToken());
  }

  private Grant next(ResourceId id, Entry told, boolean isNews, Steps.Done done, long asked) {
    Entry entry = written(done, told);
    return isNews
        ? grants.written(id, entry, done)
        : grants.left(id, entry, done, steps.endNanos(id, entry, asked), asked);
  }

  private static boolean covers(@Nullable Entry entry, long claim) {
    return entry != null && entry.claims().contains(claim);
  }

  // ---------------------------------------------------------------- withdraw

  CompletableFuture<Done> withdraw(ResourceId id, long claim) {
    if (id.kind() == ResourceKind.BARRIER) {
      withdrawn.add(id, claim, steps.now());
    }
    return turns.inTurn(id, () -> withdrawNow(id, claim));
  }

  private CompletableFuture<Done> withdrawNow(ResourceId id, long claim) {
    return steps
        .<@Nullable NodeName>step(
            id, beforeWithdrawal(id, claim), draft -> decideWithdrawal(draft, claim))
        .thenCompose(
            node ->
                node == null
                    ? CompletableFuture.completedFuture(Done.DONE)
                    : leave(id, claim, node));
  }

  private Want beforeWithdrawal(ResourceId id, long claim) {
    if (mine.isDoubtful(id, claim)) {
      return Want.SETTLED;
    }
    boolean isShared = !id.isExclusive();
    return isShared && mine.isKnown(id) ? Want.ALL : Want.RECORD;
  }

  /**
   * Deletes the node of a claim that waits, unless something was written into it: then it was let
   * in meanwhile.
   */
  private CompletableFuture<Done> leave(ResourceId id, long claim, NodeName node) {
    String path = paths.resource(id) + "/" + node.text();
    steps.leaves(path);
    return connection
        .delete(path, 0)
        .thenApply(gone -> Done.DONE)
        .exceptionallyCompose(
            failure ->
                Failures.isConflict(failure)
                    ? withdrawNow(id, claim)
                    : CompletableFuture.failedFuture(Answers.cause(failure)))
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                mine.doubt(id, claim);
              }
            });
  }

  /** Decides a withdrawal; answers the node that is still to be deleted, or null. */
  private Function<Steps.Done, @Nullable NodeName> decideWithdrawal(Draft draft, long claim) {
    ResourceId id = draft.id;
    boolean freed = drop(draft);
    NodeName waiting = draft.waitingNode(claim);
    if (waiting != null) {
      draft.leave(waiting);
      freed = true;
    }
    Entry entry = draft.mine(claim);
    if (entry != null) {
      Entry rest = entry.without(claim);
      if (rest.claims().isEmpty()) {
        draft.end(entry);
        freed = true;
      } else {
        draft.replace(entry, rest);
      }
    }
    if (freed) {
      draft.admit();
    }
    draft.tidy();
    return done -> {
      Mine.Place place = mine.place(id, claim);
      if (entry != null && entry.claims().size() == 1) {
        mine.gone(id, entry.grant());
      }
      if (entry == null || entry.grant() != claim) {
        mine.gone(id, claim);
      }
      return place == null || waiting != null || entry != null || draft.base.queue() != null
          ? null
          : place.node();
    };
  }

  // ---------------------------------------------------------------- common

  /** Drops what is over, and lets in whom that makes room for. */
  private void notice(Draft draft) {
    if (drop(draft)) {
      draft.admit();
    } else if (draft.base.exists() && draft.grants.isEmpty()) {
      draft.admit(); // whoever left it so has died before letting the next in
    }
  }

  private boolean drop(Draft draft) {
    long now = steps.now();
    return draft.drop(entry -> steps.isOver(draft.id, draft.base, entry, now));
  }

  /** Returns a grant as it was written, with its tokens. */
  private static Entry written(Steps.Done done, Entry draft) {
    Entry entry = done.find(draft.node().client(), draft.grant());
    if (entry == null) {
      throw new IllegalStateException("a grant that was written must be there");
    }
    return entry;
  }
}
