package io.lockkeeper.lab.oversell.pool;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Things of which each serves one thread at a time. They are opened when they are first needed, and
 * who finds all of them taken waits.
 *
 * @param <T> what is pooled
 */
public final class Pool<T> implements AutoCloseable {

  /** How many connections a worker process has in a pool, as is usual for an application. */
  public static final int USUAL_SIZE = 10;

  private final Semaphore free;
  private final Supplier<T> opener;
  private final Consumer<T> closer;
  private final ConcurrentLinkedDeque<T> idle = new ConcurrentLinkedDeque<>();

  /** Creates an empty pool for at most {@code size} things. */
  public Pool(int size, Supplier<T> opener, Consumer<T> closer) {
    this.free = new Semaphore(size, true);
    this.opener = opener;
    this.closer = closer;
  }

  /** Returns one for the caller alone, who gives it back or discards it. */
  public T take() {
    free.acquireUninterruptibly();
    T known = idle.pollFirst();
    if (known != null) {
      return known;
    }
    try {
      return opener.get();
    } catch (RuntimeException e) {
      free.release();
      throw e;
    }
  }

  /** Takes back one that can be used again. */
  public void giveBack(T thing) {
    idle.addFirst(thing);
    free.release();
  }

  /** Takes back one that cannot be used again. */
  public void discard(T thing) {
    try {
      closer.accept(thing);
    } finally {
      free.release();
    }
  }

  /** Closes those that nobody has taken. */
  @Override
  public void close() {
    for (T thing = idle.pollFirst(); thing != null; thing = idle.pollFirst()) {
      closer.accept(thing);
    }
  }
}
