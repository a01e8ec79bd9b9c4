package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.support.Answers;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lines of those of this client who want to do something with a resource: one begins when the
 * one before has ended, so that they do not contend with each other.
 */
final class StepQueues {

  /** A turn in the line of those of this client who want to do something with a resource. */
  private static final class Turn {

    final CompletableFuture<?> end;

    /** Whether it has sent the deletion of the node, as the first and probably last it does. */
    volatile boolean isDeleting;

    Turn(CompletableFuture<?> end) {
      this.end = end;
    }
  }

  /** The last who asked for a turn, and who has it. */
  private final Map<ResourceId, Turn> lanes = new ConcurrentHashMap<>();

  private final Map<ResourceId, Turn> running = new ConcurrentHashMap<>();

  /**
   * Does something with a resource when what came before has ended, so that a withdrawal finds the
   * claim that it is about.
   */
  <T> CompletableFuture<T> inTurn(ResourceId id, Supplier<CompletableFuture<T>> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Turn turn = new Turn(result);
    Turn before = lanes.put(id, turn);
    after(before, () -> begin(id, turn, task, result));
    return endTurn(id, turn, result);
  }

  /**
   * As {@link #inTurn}; but if the one before is just deleting the resource's node, then {@code
   * eager} is done at once: requests are carried out in the order in which they are sent. If that
   * leads to nothing, which an answer of null means, the task is done in its turn.
   */
  <T> CompletableFuture<T> inTurn(
      ResourceId id,
      Supplier<CompletableFuture<@Nullable T>> eager,
      Supplier<CompletableFuture<T>> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Turn turn = new Turn(result);
    Turn before = lanes.put(id, turn);
    if (before == null || !before.isDeleting) {
      after(before, () -> begin(id, turn, task, result));
    } else {
      Supplier<CompletableFuture<T>> both = () -> first(eager, before, task);
      begin(both, result);
    }
    return endTurn(id, turn, result);
  }

  /** Tries something, and if that leads to nothing waits for the one before and does the task. */
  @SuppressWarnings("FutureReturnValueIgnored") // composed in the last line
  private static <T> CompletableFuture<T> first(
      Supplier<CompletableFuture<@Nullable T>> eager,
      Turn before,
      Supplier<CompletableFuture<T>> task) {
    return eager
        .get()
        .handle(
            (value, failure) -> {
              if (value != null) {
                return CompletableFuture.completedFuture(value);
              }
              return before
                  .end
                  .handle((end, itsFailure) -> true)
                  .thenCompose(
                      ended ->
                          failure == null
                              ? task.get()
                              : CompletableFuture.failedFuture(Answers.cause(failure)));
            })
        .thenCompose(next -> next);
  }

  private static void after(@Nullable Turn before, Runnable task) {
    if (before == null) {
      task.run();
    } else {
      ZkFailures.unheard(before.end.whenComplete((value, failure) -> task.run()));
    }
  }

  private <T> CompletableFuture<T> endTurn(ResourceId id, Turn turn, CompletableFuture<T> result) {
    ZkFailures.unheard(
        result.whenComplete(
            (value, failure) -> {
              lanes.remove(id, turn);
              running.remove(id, turn);
            }));
    return result;
  }

  private <T> void begin(
      ResourceId id, Turn turn, Supplier<CompletableFuture<T>> task, CompletableFuture<T> result) {
    running.put(id, turn);
    begin(task, result);
  }

  private static <T> void begin(Supplier<CompletableFuture<T>> task, CompletableFuture<T> result) {
    try {
      ZkFailures.unheard(
          task.get()
              .whenComplete(
                  (value, failure) -> {
                    if (failure != null) {
                      result.completeExceptionally(failure);
                    } else {
                      result.complete(value);
                    }
                  }));
    } catch (Throwable e) { // an error too: others wait for this end
      result.completeExceptionally(e);
    }
  }

  /** Returns whether nobody has asked for a turn since, and this one has not ended. */
  boolean isLast(ResourceId id, CompletableFuture<?> end) {
    Turn last = lanes.get(id);
    return last != null && last.end == end;
  }

  /** Returns whether nothing of this client is under way for a resource, or waits for its turn. */
  boolean isIdle(ResourceId id) {
    return !lanes.containsKey(id);
  }

  /** Notes that who has the turn has sent the deletion of the node. */
  void isDeleting(ResourceId id) {
    Turn turn = running.get(id);
    if (turn != null) {
      turn.isDeleting = true;
    }
  }
}
