package io.lockkeeper.zookeeper;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.WithdrawAnswer;
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

  CompletableFuture<WithdrawAnswer> withdraw(ResourceId id, long claim) {
    if (id.kind() == ResourceKind.BARRIER) {
      withdrawn.add(id, claim, steps.now());
    }
    return turns.inTurn(id, () -> withdrawNow(id, claim));
  }

  private CompletableFuture<WithdrawAnswer> withdrawNow(ResourceId id, long claim) {
    return steps
        .step(id, beforeWithdrawal(id, claim), draft -> decideWithdrawal(draft, claim))
        .thenCompose(
            left ->
                left.node() == null
                    ? CompletableFuture.completedFuture(left.answer())
                    : leave(id, claim, left.node()));
  }

  private Want beforeWithdrawal(ResourceId id, long claim) {
    if (mine.isDoubtful(id, claim)) {
      return Want.SETTLED;
    }
    boolean isShared = !id.isExclusive();
    return isShared && mine.isKnown(id) ? Want.ALL : Want.RECORD;
  }

  /**
   * Deletes the node of a claim that waits, unless something was written into it: then it was
   * admitted meanwhile.
   */
  private CompletableFuture<WithdrawAnswer> leave(ResourceId id, long claim, NodeName node) {
    String path = paths.resource(id) + "/" + node.text();
    steps.leaves(path);
    return connection
        .delete(path, 0)
        .thenApply(gone -> WithdrawAnswer.LEFT)
        .exceptionallyCompose(
            failure ->
                ZkFailures.isConflict(failure)
                    ? withdrawNow(id, claim)
                    : CompletableFuture.failedFuture(Answers.cause(failure)))
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                mine.doubt(id, claim);
              }
            });
  }

  /** The answer to a withdrawal, and the node that is still to be deleted, if any. */
  private record Left(@Nullable NodeName node, WithdrawAnswer answer) {}

  private Function<CasLoop.Done, Left> decideWithdrawal(ResourceTransaction draft, long claim) {
    ResourceId id = draft.id;
    boolean freed = steps.ends().drop(draft, steps.now());
    NodeName waiting = draft.waitingNode(claim);
    if (waiting != null) {
      draft.leave(waiting);
      freed = true;
    }
    Entry entry = draft.mine(claim);
    WithdrawAnswer answer =
        entry != null && id.kind() == ResourceKind.BARRIER
            ? new WithdrawAnswer(entry.firstToken())
            : WithdrawAnswer.LEFT;
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
      boolean isSeen = waiting != null || entry != null || draft.base.queue() != null;
      return new Left(place == null || isSeen ? null : place.node(), answer);
    };
  }
}
