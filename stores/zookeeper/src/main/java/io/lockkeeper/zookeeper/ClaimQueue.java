package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.support.Answers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.CreateOptions;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.jspecify.annotations.Nullable;

/**
 * The way of this client's claims into the queues: makes their nodes, and says where they stand.
 */
final class ClaimQueue {

  /** Up to how many waiting claims each tells the holder that it waits: the first must be known. */
  private static final int FEW = 4;

  private final Connection connection;
  private final Paths paths;
  private final StoreContext context;
  private final CasLoop steps;
  private final OwnClaims mine;
  private final Notifications notifications;
  private final RecentContention contention;

  ClaimQueue(
      Connection connection,
      Paths paths,
      StoreContext context,
      CasLoop steps,
      OwnClaims mine,
      Notifications notifications,
      RecentContention contention) {
    this.connection = connection;
    this.paths = paths;
    this.context = context;
    this.steps = steps;
    this.mine = mine;
    this.notifications = notifications;
    this.contention = contention;
  }

  /** Returns whether this client has lately had to queue for a resource. */
  boolean isContended(ResourceId id) {
    return contention.isContended(id, steps.now());
  }

  /**
   * Records that a claim is in doubt if nothing is heard of it. The turn ends after that: the next
   * may be of the same claim, sent again, which would not look for the first and be made twice.
   */
  <T> CompletableFuture<T> doubtedIfLost(ResourceId id, long claim, CompletableFuture<T> asked) {
    return asked.whenComplete(
        (answer, failure) -> {
          if (failure != null) {
            mine.doubt(id, claim);
          }
        });
  }

  /** Puts a claim into the queue; false if the resource's node went away meanwhile. */
  CompletableFuture<Boolean> enqueue(ClaimRequest request) {
    ResourceId id = request.resource();
    String path = paths.resource(id);
    String name = steps.waitingName(request);
    long sentNanos = steps.now();
    return steps
        .enqueue(path, name)
        .thenApply(
            made -> {
              place(id, request.claim(), made, sentNanos);
              return true;
            })
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? begin(request, path, name)
                    : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  /**
   * Puts claims of one lock into the queue, in their order and with nobody between them; false if
   * the lock's node went away.
   */
  CompletableFuture<Boolean> enqueueAll(List<ClaimRequest> requests) {
    ResourceId id = requests.get(0).resource();
    CreateOptions waiting =
        CreateOptions.newBuilder(connection.settings().acl(), CreateMode.EPHEMERAL_SEQUENTIAL)
            .build();
    List<Op> ops =
        requests.stream()
            .map(request -> paths.resource(id) + "/" + steps.waitingName(request))
            .map(path -> Op.create(path, new byte[0], waiting))
            .toList();
    long sentNanos = steps.now();
    return connection
        .multi(ops, connection.sessionId())
        .thenApply(
            results -> {
              for (int i = 0; i < results.size(); i++) {
                OpResult.CreateResult made = (OpResult.CreateResult) results.get(i);
                long claim = requests.get(i).claim();
                long arrival = OwnClaims.Place.arrival(made.getStat().getCzxid(), i);
                place(id, claim, made.getPath(), arrival, sentNanos);
              }
              return true;
            })
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  /** Makes a resource's node together with its first claim that waits. */
  private CompletableFuture<Boolean> begin(ClaimRequest request, String path, String name) {
    ResourceId id = request.resource();
    ResourceRecord doc =
        new ResourceRecord(0, request.share().limit(), false, "", List.of(), List.of(), List.of());
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
                long czxid = node.getStat() == null ? 0 : node.getStat().getCzxid();
                long arrival = OwnClaims.Place.arrival(czxid, 0);
                place(id, request.claim(), child.getPath(), arrival, sentNanos);
              }
              return true;
            })
        .exceptionallyCompose(
            failure -> {
              if (ZkFailures.isMissing(failure)) {
                return connection
                    .createFolder(paths.folder(id))
                    .thenCompose(made -> begin(request, path, name));
              }
              return ZkFailures.isConflict(failure)
                  ? CompletableFuture.completedFuture(false)
                  : CompletableFuture.failedFuture(Answers.cause(failure));
            });
  }

  /** Records a claim's place, and hears what becomes of it. */
  void place(ResourceId id, long claim, Connection.Created made, long sentNanos) {
    long arrival = OwnClaims.Place.arrival(made.stat().getCzxid(), 0);
    place(id, claim, made.path(), arrival, sentNanos);
  }

  private void place(ResourceId id, long claim, String path, long arrival, long sentNanos) {
    NodeName node = NodeName.parse(path.substring(path.lastIndexOf('/') + 1));
    if (node != null) {
      mine.queued(id, claim, new OwnClaims.Place(node, arrival, sentNanos));
      notifications.watchQueued(id, claim, node.text());
    }
  }

  /**
   * Records a claim that was found in the queue, if its place was not known. It came after the
   * record was written; {@link #locate} learns when.
   */
  void found(ResourceTransaction draft, long claim, NodeName node) {
    if (mine.place(draft.id, claim) == null) {
      long arrival = OwnClaims.Place.arrival(draft.base.zxid(), 0);
      mine.queued(draft.id, claim, new OwnClaims.Place(node, arrival, OwnClaims.Place.UNKNOWN));
      notifications.watch(draft.id, claim, node.text());
    }
  }

  /**
   * Reads the place in the order of arrival of a claim whose node was found: the answer that had it
   * was lost.
   */
  CompletableFuture<Boolean> locate(ResourceId id, long claim) {
    OwnClaims.Place place = mine.place(id, claim);
    return place == null || !place.isFound()
        ? CompletableFuture.completedFuture(false)
        : connection
            .exists(paths.resource(id) + "/" + place.node().text(), null)
            .handle((stat, gone) -> stat != null && mine.located(id, claim, place, stat));
  }

  /** Returns an answer with the claim's place, if that was found only now. */
  CompletableFuture<ClaimAnswer> located(ResourceId id, long claim, Queued queued) {
    return locate(id, claim)
        .thenApply(
            isLocated -> {
              OwnClaims.Place place = isLocated ? mine.place(id, claim) : null;
              long arrival = place == null ? queued.arrival() : place.arrival();
              return new Queued(queued.storeMicros(), queued.holderMicros(), arrival);
            });
  }

  /** Returns where a claim waits, after a step; the holder is notified of that. */
  Queued queued(ResourceId id, long claim, CasLoop.Done done) {
    OwnClaims.Place place = mine.place(id, claim);
    contention.seen(id, steps.now());
    tellHolder(id, place, done);
    return new Queued(
        notifications.grants().micros(done.sentNanos()),
        firstEndMicros(id, done),
        place == null ? 0 : place.arrival());
  }

  private long firstEndMicros(ResourceId id, CasLoop.Done done) {
    long now = steps.now();
    return done.after().doc().grants().stream()
        .mapToLong(entry -> Math.max(1, (steps.ends().endNanos(id, entry, now) - now) / 1_000))
        .min()
        .orElse(context.timings().heartbeatMillis() * 1_000);
  }

  /** Tells the holder of a lock that this client waits, if it is the first or may be. */
  private void tellHolder(ResourceId id, OwnClaims.@Nullable Place place, CasLoop.Done done) {
    ResourceRecord doc = done.after().doc();
    if (!id.isExclusive() || doc.grants().isEmpty() || place == null) {
      return;
    }
    Entry holder = doc.grants().get(0);
    boolean first =
        done.after().waiting() <= FEW
            || (!doc.ahead().isEmpty() && doc.ahead().get(0).equals(place.node()));
    if (first && holder.hasTokensToSpare() && !holder.node().client().equals(context.clientId())) {
      String letterBox = paths.resource(id) + "/" + holder.node().text();
      ZkFailures.unheard(connection.write(letterBox, Notifications.CONTENDED, -1));
    }
  }

  /**
   * Returns an answer with the time of the question as the store's time. The engine compares both
   * to learn how far apart two clocks may be; here they are one clock, so what goes by between
   * question and answer would only make it count the next grant's lease from too early a moment.
   */
  Queued asOf(long askedNanos, Queued queued) {
    return new Queued(
        notifications.grants().micros(askedNanos), queued.holderMicros(), queued.arrival());
  }
}
