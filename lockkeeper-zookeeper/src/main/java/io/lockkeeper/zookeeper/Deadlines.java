package io.lockkeeper.zookeeper;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What ends the questions that get no answer in time. All have the same time limit and are mostly
 * answered in order, so a queue that is looked at now and then does what a timer for each would,
 * without waking the timer's thread for each.
 */
final class Deadlines {

  private static final int LOOKS_PER_LIMIT = 16;

  private record Question(CompletableFuture<?> answer, long deadlineNanos) {}

  private final Queue<Question> questions = new ConcurrentLinkedQueue<>();
  private final long limitNanos;

  /** Whether a thread is at the head of the queue; the others leave it to that one. */
  private final AtomicBoolean busy = new AtomicBoolean();

  private final AtomicBoolean ticking = new AtomicBoolean();

  Deadlines(long limitMillis) {
    this.limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
  }

  /** Has an answer end with a {@link TimeoutException} if it does not come in time. */
  <T> CompletableFuture<T> limit(CompletableFuture<T> answer) {
    if (!answer.isDone()) {
      questions.add(new Question(answer, System.nanoTime() + limitNanos));
      forgetAnswered();
      tickLater();
    }
    return answer;
  }

  /** Forgets the oldest questions that have been answered, so that they are not kept for long. */
  private void forgetAnswered() {
    if (busy.compareAndSet(false, true)) {
      try {
        Question oldest = questions.peek();
        while (oldest != null && oldest.answer.isDone()) {
          questions.poll();
          oldest = questions.peek();
        }
      } finally {
        busy.set(false);
      }
    }
  }

  private void tickLater() {
    if (!questions.isEmpty() && ticking.compareAndSet(false, true)) {
      CompletableFuture.delayedExecutor(
              limitNanos / LOOKS_PER_LIMIT, TimeUnit.NANOSECONDS, Runnable::run)
          .execute(this::tick);
    }
  }

  private void tick() {
    long now = System.nanoTime();
    for (Question question : questions) {
      if (question.deadlineNanos - now > 0) {
        break;
      }
      question.answer.completeExceptionally(new TimeoutException("no answer in time"));
    }
    forgetAnswered();
    ticking.set(false);
    tickLater();
  }
}
