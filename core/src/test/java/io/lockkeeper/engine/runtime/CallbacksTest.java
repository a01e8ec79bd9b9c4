package io.lockkeeper.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.engine.Deadlines;
import io.lockkeeper.engine.LogCapture;
import io.lockkeeper.engine.ThrowablesTest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class CallbacksTest {

  private final Queue<Runnable> own = new ArrayDeque<>();
  private final List<Throwable> failures = new ArrayList<>();
  private int ran;

  private Callbacks callbacks(Executor executor) {
    return new Callbacks(executor, own::add, (what, failure) -> failures.add(failure));
  }

  private void runOwn() {
    for (Runnable task = own.poll(); task != null; task = own.poll()) {
      task.run();
    }
  }

  @Test
  void whatTheExecutorRefusesIsRunByTheClientsOwnThreadsAndLoggedOnce() {
    for (Throwable refusal :
        List.of(new RejectedExecutionException("full"), new OutOfMemoryError("no thread"))) {
      Callbacks callbacks =
          callbacks(
              task -> {
                throw ThrowablesTest.<RuntimeException>sneaky(refusal);
              });
      try (LogCapture log = new LogCapture()) {
        callbacks.execute(() -> ran++);
        callbacks.execute(() -> ran++);
        assertThat(ran).isZero();
        runOwn();

        assertThat(ran).isEqualTo(2);
        assertThat(log.failures()).containsExactly(refusal);
      }
      ran = 0;
    }
  }

  @Test
  void nothingRunsInsideTheCallThatHandsItOver() {
    Callbacks callbacks = callbacks(Runnable::run);
    try (LogCapture log = new LogCapture()) {
      callbacks.execute(() -> ran++);
      callbacks.execute(() -> ran++);
      assertThat(ran).isZero();
      runOwn();

      assertThat(ran).isEqualTo(2);
      assertThat(log.messages()).hasSize(1);
    }
  }

  @Test
  void aThreadOfTheExecutorMayHandOverAndRunLater() {
    Queue<Runnable> later = new ArrayDeque<>();
    Callbacks callbacks = callbacks(later::add);
    callbacks.execute(() -> ran++);
    later.remove().run(); // the same thread, but after the call

    assertThat(ran).isEqualTo(1);
    assertThat(own).isEmpty();
  }

  @Test
  void anExecutorThatTakesATaskAndThrowsRunsItOnce() {
    Queue<Runnable> later = new ArrayDeque<>();
    Callbacks callbacks =
        callbacks(
            task -> {
              later.add(task);
              throw new AssertionError("made up");
            });
    try (LogCapture log = new LogCapture()) {
      callbacks.execute(() -> ran++);
      later.remove().run();
      runOwn();

      assertThat(log.messages()).hasSize(1);
    }
    assertThat(ran).isEqualTo(1);
  }

  @Test
  void whatATaskThrowsIsNoneOfTheExecutors() {
    Queue<Runnable> later = new ArrayDeque<>();
    Error failure = new AssertionError("made up");
    callbacks(later::add)
        .execute(
            () -> {
              throw failure;
            });
    later.remove().run();

    assertThat(failures).containsExactly(failure);
  }

  @Test
  void withoutAnExecutorTheClientsOwnThreadsRunItAll() {
    Callbacks callbacks = new Callbacks(null, null, (what, failure) -> {});
    List<String> names = new java.util.concurrent.CopyOnWriteArrayList<>();
    callbacks.execute(() -> names.add(Thread.currentThread().getName()));

    await().atMost(Deadlines.GENEROUS).until(() -> !names.isEmpty());
    assertThat(names).containsExactly("lockkeeper-callback");
    callbacks.close();
  }
}
