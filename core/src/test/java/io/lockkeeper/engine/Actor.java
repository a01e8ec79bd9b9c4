package io.lockkeeper.engine;

import static org.awaitility.Awaitility.await;

import io.lockkeeper.engine.coordination.ResourceCoordinator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** A thread that carries out commands one after the other. */
public final class Actor {

  private final LinkedBlockingQueue<Runnable> orders = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean closed;

  public Actor(String name) {
    thread = new Thread(this::work, name);
    thread.setDaemon(true);
    thread.start();
  }

  public Thread thread() {
    return thread;
  }

  /** Has the thread do something, and does not wait for it. */
  public <T> CompletableFuture<T> begin(Callable<T> action) {
    CompletableFuture<T> result = new CompletableFuture<>();
    orders.add(
        () -> {
          try {
            result.complete(action.call());
          } catch (Throwable failure) {
            result.completeExceptionally(failure);
          }
        });
    return result;
  }

  public CompletableFuture<Void> begin(Action action) {
    return begin(
        () -> {
          action.run();
          return null;
        });
  }

  /** Has the thread do something that does not block, and returns what came of it. */
  public <T> T call(Callable<T> action) {
    return get(begin(action));
  }

  public void run(Action action) {
    get(begin(action));
  }

  /** Something to do. */
  @FunctionalInterface
  public interface Action {
    void run() throws Exception;
  }

  /** Waits for the result of something begun, which must not fail. */
  public static <T> T get(CompletableFuture<T> begun) {
    Throwable failure = end(begun);
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failure != null) {
      throw new AssertionError(failure);
    }
    return begun.join();
  }

  /** Waits for something begun to end, and returns what it threw, or null. */
  public static Throwable end(CompletableFuture<?> begun) {
    try {
      begun.get(Deadlines.GENEROUS.toMillis(), TimeUnit.MILLISECONDS);
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("no result", e);
    }
  }

  /** Waits until the thread is parked for a request. */
  public void awaitParked() {
    await().atMost(Deadlines.GENEROUS).until(this::isParked);
  }

  public boolean isParked() {
    return LockSupport.getBlocker(thread) instanceof ResourceCoordinator;
  }

  /** Waits until the thread waits for a future: for the answer of the store. */
  public void awaitAsking() {
    await()
        .atMost(Deadlines.GENEROUS)
        .until(
            () -> {
              Object blocker = LockSupport.getBlocker(thread);
              return blocker != null
                  && blocker.getClass().getEnclosingClass() == CompletableFuture.class;
            });
  }

  public void interrupt() {
    thread.interrupt();
  }

  /** Ends the thread once it has done what it was told. */
  public void close() {
    orders.add(() -> closed = true);
    try {
      thread.join(Deadlines.GENEROUS.toMillis());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (thread.isAlive()) {
      throw new AssertionError("thread '" + thread.getName() + "' hangs");
    }
  }

  private void work() {
    while (!closed) {
      Runnable order;
      try {
        order = orders.take();
      } catch (InterruptedException e) {
        continue; // meant for what it was told to do, and came after that
      }
      order.run();
    }
  }
}
