package io.lockkeeper.engine.runtime;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs user code: on the user's executor, if there is one, and otherwise on the client's own
 * threads.
 *
 * <p>Each piece runs, because a grant whose listener is not called keeps others out: what the
 * executor refuses is run by the client's own threads. It runs once, even if the executor takes it
 * and throws all the same. And it never runs inside the call that hands it over, whose thread may
 * be a driver's or the client's scheduler: what the executor runs on the calling thread is passed
 * on to the client's own threads too.
 */
final class Callbacks implements Executor {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private final @Nullable Executor users;
  private final Executor own;
  private final @Nullable CallbackThreads threads;
  private final BiConsumer<String, Throwable> failures;
  private final AtomicBoolean refusalTold = new AtomicBoolean();
  private final AtomicBoolean inlineTold = new AtomicBoolean();

  /**
   * Creates it, with a first thread if that is needed.
   *
   * @param users the user's executor, if there is one
   * @param own what to use in place of threads of the client's own
   * @param failures takes what a task throws; throws nothing itself
   */
  Callbacks(
      @Nullable Executor users, @Nullable Executor own, BiConsumer<String, Throwable> failures) {
    this.users = users;
    this.failures = failures;
    if (own == null) {
      threads =
          new CallbackThreads(task -> DaemonThreads.create(task, "lockkeeper-callback"), failures);
      this.own = threads;
    } else {
      threads = null;
      this.own = own;
    }
  }

  @Override
  public void execute(Runnable task) {
    if (users == null) {
      own.execute(() -> run(task));
    } else {
      new Handover(task).to(users);
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable failure) { // an error too: it is none of the executor's
      failures.accept("a callback failed", failure);
    }
  }

  /** Ends the client's own threads when they have nothing left to run. */
  void close() {
    if (threads != null) {
      threads.close();
    }
  }

  /** Brings a piece of user code through the user's executor. */
  private final class Handover implements Runnable {

    private final Runnable task;
    private final Thread caller = Thread.currentThread();
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Whether the call is over. Only the caller's thread reads and writes it. */
    private boolean over;

    Handover(Runnable task) {
      this.task = task;
    }

    void to(Executor executor) {
      try {
        executor.execute(this);
      } catch (Throwable refused) {
        passOn(
            refusalTold, "the executor refuses callbacks; threads of the client run them", refused);
      } finally {
        over = true;
      }
    }

    @Override
    public void run() {
      if (Thread.currentThread() == caller && !over) {
        passOn(
            inlineTold,
            "the executor runs callbacks on the calling thread; threads of the client run them",
            null);
      } else if (taken.compareAndSet(false, true)) {
        Callbacks.this.run(task);
      }
    }

    private void passOn(AtomicBoolean told, String message, @Nullable Throwable refused) {
      if (taken.compareAndSet(false, true)) {
        own.execute(() -> Callbacks.this.run(task));
        if (told.compareAndSet(false, true)) { // once is enough
          LOG.log(Level.WARNING, message, refused);
        }
      }
    }
  }
}
