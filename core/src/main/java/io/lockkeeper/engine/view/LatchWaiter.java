package io.lockkeeper.engine.view;

import io.lockkeeper.LatchDeletedException;
import io.lockkeeper.engine.register.RegisterAnswers;
import io.lockkeeper.engine.state.RegisterWatcher;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellState;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits for a latch to open. All but the future is guarded by the coordinator's mutex. */
final class LatchWaiter implements RegisterWatcher {

  /** Completes when the latch is open, or will not be. */
  final CompletableFuture<Boolean> opened = new CompletableFuture<>();

  private final CellId cell;

  /** The thread to unpark; null for an asynchronous wait. */
  private final @Nullable Thread thread;

  /** Which latch of this name it waits for: 0 until one has been seen. */
  private long born;

  private boolean isOver;
  private @Nullable RuntimeException failure;

  /** Whether the store has said anything. Read by the waiting thread. */
  private volatile boolean hasHeard;

  LatchWaiter(CellId cell, @Nullable Thread thread) {
    this.cell = cell;
    this.thread = thread;
  }

  @Override
  public boolean sees(CellState state) {
    hasHeard = true;
    if (isOver) {
      return false;
    }
    if (state instanceof CellState.Present present && (born == 0 || born == present.born())) {
      born = present.born();
      OptionalLong count = present.value().number();
      isOver = count.isEmpty() || count.getAsLong() <= 0;
      failure = count.isEmpty() ? RegisterAnswers.notANumber(cell) : null;
    } else if (born != 0) {
      isOver = true;
      failure =
          new LatchDeletedException(
              "the latch '" + cell.name() + "' was deleted, or its time to live is over");
    }
    return isOver;
  }

  @Override
  public boolean fails(RuntimeException cause) {
    if (isOver) {
      return false;
    }
    isOver = true;
    failure = cause;
    return true;
  }

  @Override
  public boolean looksFirst() {
    return true;
  }

  @Override
  public boolean isOver() {
    return isOver;
  }

  boolean hasHeard() {
    return hasHeard;
  }

  @Override
  public void tell() {
    RuntimeException cause = failure;
    if (cause == null) {
      opened.complete(true);
    } else {
      opened.completeExceptionally(cause);
    }
    LockSupport.unpark(thread);
  }
}
