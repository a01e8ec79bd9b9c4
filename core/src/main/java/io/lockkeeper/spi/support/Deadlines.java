package io.lockkeeper.spi.support;

import io.lockkeeper.spi.Scheduler;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ends the questions that get no answer in time. All have the same time limit and are mostly
 * answered in order, so a queue that is looked at now and then does what a timer for each would,
 * without waking the timer's thread for each. It counts these looks, and needs no clock.
 */
public final class Deadlines implements AutoCloseable {

  private static final int LOOKS_PER_LIMIT = 16;

  /**
   * A question.
   *
   * @param lastLook the look that ends it if it is not answered by then
   */
  private record Question(CompletableFuture<?> answer, long lastLook) {}

  private final Queue<Question> questions = new ConcurrentLinkedQueue<>();
  private final Scheduler scheduler;
  private final long tickNanos;

  /** How often the queue has been looked at. */
  private final AtomicLong looks = new AtomicLong();

  /** Set while a thread is at the head of the queue; the others leave it to that one. */
  private final AtomicBoolean busy = new AtomicBoolean();

  private final AtomicBoolean ticking = new AtomicBoolean();

  /**
   * Creates it.
   *
   * @param limitMillis the time limit of all questions
   * @param scheduler looks at them; it is not closed with this
   */
  public Deadlines(long limitMillis, Scheduler scheduler) {
    this.tickNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis) / LOOKS_PER_LIMIT;
    this.scheduler = scheduler;
  }

  /** Ends an answer with a {@link TimeoutException} if it does not come in time; returns it. */
  public <T> CompletableFuture<T> limit(CompletableFuture<T> answer) {
    if (!answer.isDone()) {
      // The next look may be just about to come.
      questions.add(new Question(answer, looks.get() + LOOKS_PER_LIMIT + 1));
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
      boolean isPlanned = false;
      try {
        scheduler.schedule(this::tick, tickNanos);
        isPlanned = true;
      } finally {
        if (!isPlanned) {
          ticking.set(false); // the next request plans the look
        }
      }
    }
  }

  private void tick() {
    try {
      endUntil(looks.incrementAndGet());
    } finally {
      ticking.set(false);
      tickLater();
    }
  }

  private void endUntil(long look) {
    for (Question question : questions) {
      if (question.lastLook > look) {
        break;
      }
      question.answer.completeExceptionally(new TimeoutException("no answer in time"));
    }
    forgetAnswered();
  }

  /** Ends all questions: nobody looks any more. */
  @Override
  public void close() {
    endUntil(Long.MAX_VALUE);
  }
}
