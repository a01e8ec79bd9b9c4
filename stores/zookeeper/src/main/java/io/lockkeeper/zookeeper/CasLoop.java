package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.support.Answers;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Carries out steps on resources: reads, has the step decided, writes what came of it in one
 * transaction, and begins again if somebody was quicker.
 */
final class CasLoop {

  /** How much has to be read. */
  enum Want {
    /** Nothing: the resource is supposed not to be there. */
    ABSENT,
    /** The record, as this client knows it if it does. */
    KNOWN,
    /** The record. */
    RECORD,
    /** The record, and whether its holder's node is there. */
    HOLDERS,
    /** The record and all nodes. */
    ALL,
    /**
     * The same, and nothing that this client has sent before is still to come. A node that was
     * asked for over a connection that broke may be proposed already, and the server that the
     * client has changed to may not have it yet. A {@link Connection#catchUp} goes through the
     * leader behind that proposal; what gets there later is refused, because the session has moved.
     */
    SETTLED
  }

  /**
   * A step that was carried out.
   *
   * @param after the resource afterwards
   * @param sentNanos when the writing was sent; without one, when the record had been read
   * @param lostNanos how much earlier the first attempt was, if others were quicker several times
   */
  record Done(Snapshot after, long sentNanos, long lostNanos) {

    /** Returns a grant as it is now, with its tokens. */
    @Nullable Entry find(String client, long grant) {
      return after.doc().grants().stream()
          .filter(entry -> entry.isOf(client, grant))
          .findFirst()
          .orElse(null);
    }

    /** Returns a grant of the transaction as it was written, with its tokens. */
    Entry written(Entry draft) {
      Entry entry = find(draft.node().client(), draft.grant());
      if (entry == null) {
        throw new IllegalStateException("a grant that was written must be there");
      }
      return entry;
    }
  }

  /** A grant of this client that a step of its own has admitted. */
  record Admitted(ResourceId id, long grant, Done done) {}

  /** Decides a step; what it returns makes the answer when the step was carried out. */
  @FunctionalInterface
  interface Decision<T> {
    Function<Done, T> decide(ResourceTransaction draft);
  }

  private final Connection connection;
  private final Paths paths;
  private final StoreContext context;
  private final String card;
  private final LeaseObservations observations;
  private final LeaseEnds ends;
  private final OwnClaims mine;
  private final StepQueues turns;
  private final Reading reading;

  /** Writes something, and so tells the server's time. */
  private final Supplier<CompletableFuture<Stat>> writing;

  private final Set<String> leaving = ConcurrentHashMap.newKeySet();
  private volatile Consumer<Admitted> hearer = admitted -> {};

  /** How many names this client has given to nodes, so that it gives none twice. */
  private final AtomicLong attempts = new AtomicLong();

  CasLoop(
      Connection connection,
      Paths paths,
      StoreContext context,
      LeaseObservations observations,
      OwnClaims mine,
      StepQueues turns,
      Supplier<CompletableFuture<Stat>> writing) {
    this.writing = writing;
    this.connection = connection;
    this.paths = paths;
    this.context = context;
    this.card = ClientNodes.card(context.client());
    this.observations = observations;
    this.ends = new LeaseEnds(connection, paths, context.clientId(), observations, mine);
    this.mine = mine;
    this.turns = turns;
    this.reading = new Reading(connection, paths, context, mine);
  }

  /** Sets the listener for grants that a step has admitted. Called once, at the beginning. */
  void whenAdmitted(Consumer<Admitted> hears) {
    hearer = hears;
  }

  long now() {
    return context.environment().time().nanos();
  }

  LeaseEnds ends() {
    return ends;
  }

  /** Returns whether this client is just deleting a node, so that its end is no news. */
  boolean isLeaving(String path) {
    return leaving.contains(path);
  }

  /** Records that this client is deleting a node, for as long as nobody can miss it. */
  void leaves(String path) {
    leaving.add(path);
    connection.later(() -> leaving.remove(path), TimeUnit.SECONDS.toNanos(10));
  }

  /** Carries out a step when those before it on the same resource have ended. */
  <T> CompletableFuture<T> run(ResourceId id, Want want, Decision<T> decision) {
    return turns.inTurn(id, () -> step(id, want, decision));
  }

  /** As {@link #run}, unless what it is for has been done when its turn comes; then null. */
  <T> CompletableFuture<@Nullable T> runUnless(
      BooleanSupplier isDone, ResourceId id, Want want, Decision<@Nullable T> decision) {
    return turns.<@Nullable T>inTurn(
        id,
        () ->
            isDone.getAsBoolean()
                ? CompletableFuture.completedFuture(null)
                : step(id, want, decision));
  }

  /** Reads who waits for what this client holds, unless it knows who is next. */
  void learnQueue(ResourceId id) {
    Snapshot known = mine.remembered(id);
    if (known != null && known.queue() == null && known.doc().ahead().isEmpty()) {
      ZkFailures.unheard(reading.load(id, Want.ALL).thenAccept(whole -> mine.learn(id, whole)));
    }
  }

  /** Carries out a step now: for who has been given a turn. */
  <T> CompletableFuture<T> step(ResourceId id, Want want, Decision<T> decision) {
    return attempt(id, want, decision, Tries.FIRST);
  }

  /**
   * Carries out a step on a resource that is supposed not to be there; null if it is, or if what it
   * belongs to is not.
   */
  <T> CompletableFuture<@Nullable T> stepOnAbsent(ResourceId id, Decision<T> decision) {
    return this.<@Nullable T>attempt(id, Want.ABSENT, decision, Tries.ONLY)
        .exceptionallyCompose(
            failure ->
                ZkFailures.isConflict(failure)
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  private <T> CompletableFuture<T> attempt(
      ResourceId id, Want want, Decision<T> decision, Tries tries) {
    return reading.load(id, want).thenCompose(base -> decide(id, want, base, decision, tries));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // composed in the next line
  private <T> CompletableFuture<T> decide(
      ResourceId id, Want want, Snapshot base, Decision<T> decision, Tries tries) {
    String path = paths.resource(id);
    Entry unseen = want == Want.ABSENT ? null : observations.unseenRest(path, base.doc());
    if (unseen != null) {
      return ageNanos(path + "/" + unseen.node().text())
          .thenCompose(
              age -> {
                observations.began(path, unseen, age);
                return decide(id, want, base, decision, tries);
              });
    }
    long now = now();
    if (want != Want.ABSENT) {
      observations.see(path, base.doc());
    }
    long session = connection.sessionId();
    ResourceTransaction.Who who =
        new ResourceTransaction.Who(
            context.clientId(),
            session,
            attempts.incrementAndGet(),
            card,
            context.timings().claimDeadlineMillis(),
            connection.sessionTimeoutMillis() * 2 / 3);
    ResourceTransaction draft = new ResourceTransaction(id, base, who, WallClock.millis());
    Function<Done, T> answer = decision.decide(draft);
    draft.demandAnchor();
    if (draft.needsQueue()) {
      return attempt(id, Want.ALL, decision, tries);
    }
    if (!draft.isChanged()) {
      return CompletableFuture.completedFuture(
          answer.apply(new Done(base, now, tries.lostNanos(now))));
    }
    TransactionOps ops = new TransactionOps(draft);
    List<String> own = draft.deletes().stream().map(name -> path + "/" + name).toList();
    leaving.addAll(own);
    CompletableFuture<List<OpResult>> written =
        connection.multi(ops.write(path, connection.settings().acl()), session);
    if (tries.equals(Tries.FIRST) && base.exists() && draft.isIdle()) {
      turns.isDeleting(id);
    }
    return written
        .handle(
            (results, failure) -> {
              leaving.removeAll(own);
              if (failure == null) {
                Snapshot after = after(draft, ops, path, results);
                Done done = new Done(after, now, tries.lostNanos(now));
                T value = answer.apply(done);
                mine.remember(id, after);
                draft.admitted().forEach(it -> hearer.accept(new Admitted(id, it.grant(), done)));
                return CompletableFuture.completedFuture(value);
              }
              mine.forgetRecord(id);
              if (!ZkFailures.isConflict(failure) || tries.left() == 0) {
                return CompletableFuture.<T>failedFuture(Answers.cause(failure));
              }
              return again(id, want, base, decision, tries.lost(base, now), failure);
            })
        .thenCompose(next -> next);
  }

  /** Returns how long ago a node was made, by the clock of the server; 0 if it is gone. */
  private CompletableFuture<Long> ageNanos(String path) {
    return connection
        .exists(path, null)
        .thenCompose(
            made ->
                writing
                    .get()
                    .thenApply(stat -> Math.max(0, stat.getMtime() - made.getCtime()) * 1_000_000))
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? CompletableFuture.completedFuture(0L)
                    : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  /** Returns what to read after somebody was quicker: who needs only the record needs no list. */
  private static Want moreThan(Want want, int failures) {
    return switch (want) {
      case ABSENT -> Want.HOLDERS;
      case KNOWN, RECORD -> failures < Tries.PATIENT_FAILURES ? Want.RECORD : Want.ALL;
      case HOLDERS, ALL, SETTLED -> Want.ALL;
    };
  }

  private <T> CompletableFuture<T> again(
      ResourceId id,
      Want want,
      Snapshot base,
      Decision<T> decision,
      Tries tries,
      Throwable failure) {
    if (tries.isHopeless()) {
      return CompletableFuture.failedFuture(
          new ZkFailures.ForeignRecordException(paths.resource(id)));
    }
    if (!base.exists() && ZkFailures.isMissing(failure)) {
      return connection
          .createFolder(paths.folder(id))
          .thenCompose(made -> attempt(id, want, decision, tries));
    }
    int failures = tries.failures() - 1;
    Want more = ZkFailures.isNotEmpty(failure) ? Want.ALL : moreThan(want, failures);
    if (failures < Tries.PATIENT_FAILURES) {
      return attempt(id, more, decision, tries);
    }
    long spreadMicros = 1_000L << Math.min(failures, 5);
    long micros = context.environment().random().nextLong(spreadMicros);
    CompletableFuture<Want> paused = new CompletableFuture<>();
    connection.later(() -> paused.complete(more), TimeUnit.MICROSECONDS.toNanos(micros));
    return paused.thenCompose(next -> attempt(id, next, decision, tries));
  }

  /** Returns the resource as the transaction has left it, and records it. */
  private Snapshot after(
      ResourceTransaction draft, TransactionOps ops, String path, List<OpResult> results) {
    Snapshot base = draft.base;
    Snapshot after;
    OpResult.CreateResult made = ops.isNew() ? created(path, results) : null;
    if (made != null) {
      long zxid = zxid(made);
      ResourceRecord doc = draft.doc().resolved(zxid);
      int children = base.children() + ops.childrenAdded();
      after = new Snapshot(true, 0, zxid, doc, children, null, Set.of(), null);
    } else if (results.get(results.size() - 1) instanceof OpResult.SetDataResult set) {
      Stat stat = set.getStat();
      ResourceRecord doc = draft.doc().resolved(stat.getMzxid());
      after =
          new Snapshot(
              true,
              stat.getVersion(),
              stat.getMzxid(),
              doc,
              stat.getNumChildren(),
              null,
              Set.of(),
              null);
      settleLateComers(draft, ops, stat.getNumChildren());
    } else {
      after = Snapshot.ABSENT;
    }
    observations.see(path, after.doc());
    return after;
  }

  private static OpResult.@Nullable CreateResult created(String path, List<OpResult> results) {
    for (OpResult result : results) {
      if (result instanceof OpResult.CreateResult made && made.getPath().equals(path)) {
        return made;
      }
    }
    return null;
  }

  private static long zxid(OpResult.CreateResult made) {
    Stat stat = made.getStat();
    return stat == null ? 0 : stat.getCzxid();
  }

  /**
   * Looks again if somebody has come into the queue since it was read, who has read the record of
   * before and waits for a word.
   */
  private void settleLateComers(ResourceTransaction draft, TransactionOps ops, int children) {
    int expected = draft.base.children() + ops.childrenAdded();
    if (!draft.isFull() && draft.base.children() >= 0 && children > expected) {
      ZkFailures.unheard(run(draft.id, Want.ALL, CasLoop::justAdmit));
    }
  }

  private static Function<Done, Boolean> justAdmit(ResourceTransaction draft) {
    draft.admit();
    return done -> true;
  }

  /** Returns a new name for the node of a claim that waits. */
  String waitingName(ClaimRequest request) {
    return NodeName.of(
        true, context.clientId(), connection.sessionId(), attempts.incrementAndGet(), request);
  }

  /** Puts a node into the queue of a resource that is there. */
  CompletableFuture<Connection.Created> enqueue(String path, String name) {
    long session = connection.sessionId();
    if (session == 0) {
      return CompletableFuture.failedFuture(new KeeperException.SessionExpiredException());
    }
    return connection
        .create(path + "/" + name, new byte[0], CreateMode.EPHEMERAL_SEQUENTIAL)
        .thenCompose(
            made -> {
              if (made.stat().getEphemeralOwner() == session) {
                return CompletableFuture.completedFuture(made);
              }
              // It was made in a later session, with an old name.
              ZkFailures.unheard(connection.delete(made.path(), -1));
              return CompletableFuture.failedFuture(new KeeperException.SessionExpiredException());
            });
  }
}
