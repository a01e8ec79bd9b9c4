package io.lockkeeper.lab.load;

import io.lockkeeper.LockListener;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * An executor and a listener that fail now and then, as those of an application may: they refuse,
 * are out of threads, or throw what no program expects.
 */
public final class FaultyCallbacks {

  private static final int RARELY = 100;
  private static final int THREADS = 4;

  private final Random random;

  public FaultyCallbacks(long seed) {
    this.random = new Random(seed);
  }

  /**
   * Returns an executor of few threads, which come to an end by themselves. It refuses tasks while
   * all are busy, and now and then without a reason.
   */
  public Executor executor() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(0, THREADS, 1, TimeUnit.SECONDS, new SynchronousQueue<>());
    return task -> {
      switch (random.nextInt(RARELY)) {
        case 0 -> throw new RejectedExecutionException("refused on purpose");
        case 1 -> throw new OutOfMemoryError("on purpose: unable to create native thread");
        default -> threads.execute(task);
      }
    };
  }

  /** Returns a listener that hears another's events, and throws what no program expects. */
  public LockListener listener(LockListener inner) {
    return event -> {
      inner.onEvent(event);
      fail();
    };
  }

  /** Throws an error now and then. */
  void fail() {
    if (random.nextInt(RARELY) == 0) {
      throw new NoClassDefFoundError("on purpose");
    }
  }
}
