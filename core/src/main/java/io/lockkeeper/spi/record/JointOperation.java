package io.lockkeeper.spi.record;

import io.lockkeeper.spi.Done;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.rule.QueueRule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Operations of one client on one resource that one step carries out, in the order of asking. What
 * comes of them is written by one commit, so they succeed together or not at all, and nobody sees
 * what was in between.
 *
 * <p>At most one of them puts a claim into the queue, unless the store appends: entries that one
 * commit puts may come in any order.
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

    void placed(LongUnaryOperator places) {
      Outcome<T> decided = answer;
      if (decided != null) {
        answer = Outcomes.map(decided, it -> operation.placed(it, places));
      }
    }

    void end(Outcome<Done> outcome) {
      Outcome<T> decided = answer;
      result.complete(
          decided != null && outcome instanceof Outcome.Answered
              ? decided
              : Outcomes.failed(outcome));
    }
  }

  /** The use that an operation makes of a resource. */
  enum Use {
    /** It most likely changes nothing. */
    LOOKS,
    /** It changes what its client has. */
    ACTS,
    /** It ends what its client has, and most likely the record with it. */
    ENDS,
    /** It asks for something. */
    ASKS,
    /** It asks for something, and may put a claim into the queue. */
    QUEUES
  }

  private final List<Member<?>> members = new ArrayList<>();
  private Use most = Use.LOOKS;

  /**
   * Returns whether one more operation fits in. At an ordered store what asks for something does
   * better behind what ends the record than with it.
   *
   * @param isOrdered whether the store is, also in the entries that one commit puts
   */
  boolean hasRoomFor(Use use, boolean isOrdered) {
    boolean queueTwice = most == Use.QUEUES && use == Use.QUEUES && !isOrdered;
    boolean asksBehindEnd = most == Use.ENDS && use.compareTo(Use.ASKS) >= 0 && isOrdered;
    return members.size() < MOST && !queueTwice && !asksBehindEnd;
  }

  /** Returns the use that all of them make. */
  Use use() {
    return most;
  }

  /** Adds an operation, before any is carried out. Returns its outcome. */
  <T> CompletionStage<Outcome<T>> add(ResourceSteps.Operation<T> operation, Use use) {
    Member<T> member = new Member<>(operation);
    most = use.compareTo(most) > 0 ? use : most;
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

  @Override
  public Done placed(Done answer, LongUnaryOperator places) {
    members.forEach(member -> member.placed(places));
    return answer;
  }

  @Override
  public boolean tellsOfOthers() {
    return members.stream().allMatch(member -> member.operation.tellsOfOthers());
  }

  /** Answers all of them, by the outcome of the step. */
  void end(Outcome<Done> outcome) {
    members.forEach(member -> member.end(outcome));
  }
}
