package io.lockkeeper.engine.view;

import io.lockkeeper.VersionedValue;
import io.lockkeeper.engine.register.RegisterAnswers;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.Uninterruptibly;
import io.lockkeeper.engine.state.RegisterWatcher;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellState;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells a listener what a shared value is. While the listener is busy only the newest value is kept
 * for it.
 */
final class ValueListener implements RegisterWatcher {

  private static final long NOTHING_SEEN = -1;
  private static final long ABSENT = 0;

  /** For how long a close waits for a call that is under way. */
  private static final long CLOSE_NANOS = 2_000_000_000;

  private final ClientRuntime runtime;
  private final CellId cell;
  private final Consumer<? super Optional<VersionedValue>> listener;

  /** The version that was seen last. Guarded by the coordinator's mutex. */
  private long seenVersion = NOTHING_SEEN;

  /** The latest value that the listener has not got yet; a newer one replaces it. */
  private final AtomicReference<@Nullable CellState> pending = new AtomicReference<>();

  /** Whether a task that calls the listener is on its way. */
  private final AtomicBoolean delivering = new AtomicBoolean();

  /** Held while the listener is called, so that who closes it can wait for that. */
  private final ReentrantLock calling = new ReentrantLock();

  private volatile boolean closed;

  ValueListener(
      ClientRuntime runtime, CellId cell, Consumer<? super Optional<VersionedValue>> listener) {
    this.runtime = runtime;
    this.cell = cell;
    this.listener = listener;
  }

  @Override
  public boolean sees(CellState state) {
    long version = state instanceof CellState.Present present ? present.version() : ABSENT;
    if (version == seenVersion) {
      return false;
    }
    seenVersion = version;
    pending.set(state);
    return true;
  }

  /** Goes on: the store will answer again. */
  @Override
  public boolean fails(RuntimeException failure) {
    return false;
  }

  @Override
  public boolean looksFirst() {
    return false;
  }

  @Override
  public boolean isOver() {
    return false;
  }

  @Override
  public void tell() {
    if (!closed && delivering.compareAndSet(false, true)) {
      boolean isTaken = false;
      try {
        runtime.execute(this::deliver);
        isTaken = true;
      } finally {
        if (!isTaken) {
          delivering.set(false);
        }
      }
    }
  }

  private void deliver() {
    calling.lock();
    try {
      CellState state = pending.getAndSet(null);
      if (state != null && !closed) {
        listener.accept(RegisterAnswers.versioned(state));
      }
    } catch (Throwable failure) { // an error too: the next value is to be heard
      runtime.reportFailure("a listener of '" + cell.name() + "' failed", failure);
    } finally {
      calling.unlock();
      delivering.set(false);
    }
    if (pending.get() != null) {
      tell(); // it came meanwhile
    }
  }

  /**
   * Sees to it that no call begins any more. Waits for one under way, but for its own, and not for
   * ever: the listener may be waiting for something that this thread holds.
   */
  void close() {
    closed = true;
    long end = runtime.now() + CLOSE_NANOS;
    if (Uninterruptibly.await(
        runtime, end, nanos -> calling.tryLock(nanos, TimeUnit.NANOSECONDS))) {
      calling.unlock();
    }
  }
}
