package io.lockkeeper.testkit.tck;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Another thread, which does what the test tells it. */
public final class Worker implements AutoCloseable {

  private final CompletableFuture<Thread> thread = new CompletableFuture<>();
  private final ExecutorService executor;

  Worker(String name) {
    executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread made = new Thread(task, "worker-" + name);
              made.setDaemon(true);
              thread.complete(made);
              return made;
            });
    executor.execute(() -> {});
  }

  /** Something to do that may throw. */
  @FunctionalInterface
  public interface Action {

    /** Does it. */
    void run() throws Exception;
  }

  /** Does it on this worker's thread and waits for the result. Throws what it throws. */
  public <T> T call(Callable<T> task) {
    return get(start(task));
  }

  /** Does it on this worker's thread and waits. Throws what it throws. */
  public void run(Action action) {
    call(
        () -> {
          action.run();
          return true;
        });
  }

  /** Begins it on this worker's thread. */
  public <T> Future<T> start(Callable<T> task) {
    return executor.submit(task);
  }

  /** Begins it on this worker's thread. */
  public Future<Boolean> begin(Action action) {
    return start(
        () -> {
          action.run();
          return true;
        });
  }

  /** Begins something that will not end well: its outcome is nobody's business. */
  public void doom(Action action) {
    executor.execute(
        () -> {
          try {
            action.run();
          } catch (Exception expected) {
            // as foreseen
          }
        });
  }

  /** Returns once the thread is parked inside the library, and not for a mutex for a moment. */
  public void awaitParked() {
    await()
        .pollInSameThread()
        .atMost(Delays.patience())
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .during(Duration.ofMillis(2))
        .until(this::isParkedInLibrary);
  }

  /** Interrupts the thread. */
  public void interrupt() {
    thread.join().interrupt();
  }

  /** Ends the thread as soon as it has nothing to do, and waits for that. */
  public void die() {
    executor.shutdown();
    await().atMost(Delays.patience()).until(() -> !thread.join().isAlive());
  }

  /** Ends the thread, interrupting whatever it does. */
  @Override
  public void close() {
    executor.shutdownNow();
    try {
      executor.awaitTermination(Delays.patience().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the outcome as long as a test may wait. Throws what it failed with. */
  public static <T> T outcome(CompletionStage<T> stage) {
    return get(stage.toCompletableFuture());
  }

  /** Waits for a result as long as a test may wait. Throws what the task threw. */
  public static <T> T get(Future<T> future) {
    return get(future, Delays.patience());
  }

  /** Waits so long for a result. Throws what the task threw. */
  public static <T> T get(Future<T> future, Duration patience) {
    try {
      return future.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw Worker.<RuntimeException>rethrown(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("not done in time", e);
    } catch (InterruptedException e) {
      throw new AssertionError("the test itself was interrupted", e);
    }
  }

  /**
   * Looks at one stack trace, which is of one moment. The thread's state is of another: it may
   * still be that of a thread without a task.
   */
  private boolean isParkedInLibrary() {
    StackTraceElement[] trace = thread.join().getStackTrace();
    return trace.length > 0
        && trace[0].getMethodName().equals("park")
        && Arrays.stream(trace)
            .anyMatch(frame -> frame.getClassName().startsWith("io.lockkeeper.engine."));
  }

  /** Throws what the task threw, checked or not. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> AssertionError rethrown(Throwable failure) throws E {
    throw (E) failure;
  }
}
