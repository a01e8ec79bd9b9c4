package io.lockkeeper.zookeeper;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Done;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.support.Answers;
import io.lockkeeper.zookeeper.CasLoop.Want;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The claims that this client takes back. */
final class Withdrawals {

  private final Connection connection;
  private final Paths paths;
  private final CasLoop steps;
  private final OwnClaims mine;
  private final StepQueues turns;
  private final Withdrawn withdrawn;

  Withdrawals(
      Connection connection,
      Paths paths,
      CasLoop steps,
      OwnClaims mine,
      StepQueues turns,
      Withdrawn withdrawn) {
    this.connection = connection;
    this.paths = paths;
    this.steps = steps;
    this.mine = mine;
    this.turns = turns;
    this.withdrawn = withdrawn;
  }

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
  private Function<CasLoop.Done, @Nullable NodeName> decideWithdrawal(
      ResourceTransaction draft, long claim) {
    ResourceId id = draft.id;
    boolean freed = steps.ends().drop(draft, steps.now());
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
      OwnClaims.Place place = mine.place(id, claim);
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
}
