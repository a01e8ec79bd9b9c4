package io.lockkeeper.spi.record;

import io.lockkeeper.spi.Done;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.rule.QueueRule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Operations of one client on one resource that one step carries out, in the order of asking. What
 * comes of them is written by one commit, so they succeed together or not at all, and nobody sees
 * what was in between.
 *
 * <p>At most one of them puts a claim into the queue: entries that one commit puts may come in any
 * order.
 */
final class JointOperation implements ResourceSteps.Operation<Done> {

  /** How many operations one step carries out at most. */
  private static final int MOST = 64;

  private static final class Member<T> {

    private final ResourceSteps.Operation<T> operation;
    private final CompletableFuture<Outcome<T>> result = new CompletableFuture<>();

    /** Null until the operation is carried out. */
    private @Nullable Outcome<T> answer;

    Member(ResourceSteps.Operation<T> operation) {
      this.operation = operation;
    }

    void apply(QueueRule<NeedsMore> rule) throws NeedsMore {
      answer = Outcome.answered(operation.apply(rule));
    }

    void end(Outcome<Done> outcome) {
      Outcome<T> decided = answer;
      result.complete(
          decided != null && outcome instanceof Outcome.Answered
              ? decided
              : Outcomes.failed(outcome));
    }
  }

  private final List<Member<?>> members = new ArrayList<>();
  private boolean queues;

  /** Returns whether one more operation, which may put a claim into the queue or not, fits in. */
  boolean hasRoomFor(boolean queueing) {
    return members.size() < MOST && !(queues && queueing);
  }

  /** Adds an operation, before any is carried out. Returns its outcome. */
  <T> CompletionStage<Outcome<T>> add(ResourceSteps.Operation<T> operation, boolean queueing) {
    Member<T> member = new Member<>(operation);
    queues |= queueing;
    members.add(member);
    return member.result;
  }

  @Override
  public Done apply(QueueRule<NeedsMore> rule) throws NeedsMore {
    for (Member<?> member : members) {
      member.apply(rule);
    }
    return Done.DONE;
  }

  /** Answers all of them, by the outcome of the step. */
  void end(Outcome<Done> outcome) {
    members.forEach(member -> member.end(outcome));
  }
}
