package io.lockkeeper.engine.view;

import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.register.RegisterAnswers;
import io.lockkeeper.engine.register.RegisterCoordinator;
import io.lockkeeper.engine.register.Registers;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.support.DurationText;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Shows users a count-down latch. It has no state of its own. */
final class LatchView implements DistributedCountDownLatch {

  private static final Duration MIN_TIME_TO_LIVE = Duration.ofMillis(50);
  private static final Duration MAX_TIME_TO_LIVE = Duration.ofDays(365);

  private final Registers registers;
  private final ClientRuntime runtime;
  private final CellId cell;

  LatchView(Registers registers, CellId cell) {
    this.registers = registers;
    this.runtime = registers.runtime();
    this.cell = cell;
  }

  @Override
  public String name() {
    return cell.name();
  }

  // ------------------------------------------------------------- counting

  @Override
  public boolean trySetCount(long count) {
    return isDone(change(created(count, 0)));
  }

  @Override
  public boolean trySetCount(long count, Duration timeToLive) {
    return isDone(change(created(count, millis(timeToLive))));
  }

  @Override
  public CompletionStage<Boolean> trySetCountAsync(long count) {
    return changeAsync(created(count, 0), LatchView::isDone);
  }

  @Override
  public CompletionStage<Boolean> trySetCountAsync(long count, Duration timeToLive) {
    return changeAsync(created(count, millis(timeToLive)), LatchView::isDone);
  }

  private static long millis(Duration timeToLive) {
    Objects.requireNonNull(timeToLive, "timeToLive");
    if (timeToLive.compareTo(MIN_TIME_TO_LIVE) < 0 || timeToLive.compareTo(MAX_TIME_TO_LIVE) > 0) {
      throw new IllegalArgumentException(
          "a time to live must be from 50 ms to 365 days, was " + DurationText.of(timeToLive));
    }
    return timeToLive.toMillis();
  }

  private static CellChange created(long count, long ttlMillis) {
    if (count < 0) {
      throw new IllegalArgumentException("a count must not be negative, was " + count);
    }
    return new CellChange.Create(CellValue.of(count), ttlMillis);
  }

  @Override
  public void countDown(long by) {
    counted(change(down(by)));
  }

  @Override
  public CompletionStage<Void> countDownAsync(long by) {
    return changeAsync(down(by), this::counted);
  }

  private static CellChange down(long by) {
    if (by <= 0) {
      throw new IllegalArgumentException("a latch is counted down by 1 or more, not " + by);
    }
    return new CellChange.Add(-by, 0L, false);
  }

  private @Nullable Void counted(CellResult result) {
    if (!isDone(result)) {
      throw new IllegalStateException("the latch '" + cell.name() + "' is not set");
    }
    return null;
  }

  @Override
  public OptionalLong getCount() {
    return count(RegisterAnswers.await(registers.read(cell)));
  }

  @Override
  public CompletionStage<OptionalLong> getCountAsync() {
    return RegisterAnswers.async(runtime, registers.read(cell), this::count);
  }

  private OptionalLong count(CellState state) {
    return state instanceof CellState.Present
        ? OptionalLong.of(RegisterAnswers.number(cell, state))
        : OptionalLong.empty();
  }

  @Override
  public boolean delete() {
    return isDone(change(new CellChange.Delete()));
  }

  @Override
  public CompletionStage<Boolean> deleteAsync() {
    return changeAsync(new CellChange.Delete(), LatchView::isDone);
  }

  private <T extends @Nullable Object> CompletionStage<T> changeAsync(
      CellChange change, Function<CellResult, T> answer) {
    return RegisterAnswers.async(
        runtime,
        registers.change(cell, change),
        result -> answer.apply(RegisterAnswers.checked(cell, change, result)));
  }

  private CellResult change(CellChange change) {
    CellResult result = RegisterAnswers.await(registers.change(cell, change));
    return RegisterAnswers.checked(cell, change, result);
  }

  private static boolean isDone(CellResult result) {
    return result.verdict() == Verdict.DONE;
  }

  // ------------------------------------------------------------- waiting

  @Override
  public void await() throws InterruptedException {
    await(Instants.NEVER);
  }

  @Override
  public boolean await(long time, TimeUnit unit) throws InterruptedException {
    long nanos = unit.toNanos(time);
    if (nanos <= 0) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      OptionalLong count = getCount();
      return count.isPresent() && count.getAsLong() <= 0;
    }
    return await(Instants.after(runtime.now(), nanos));
  }

  private boolean await(long deadlineNanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    LatchWaiter waiter = new LatchWaiter(cell, Thread.currentThread());
    RegisterCoordinator coordinator = registers.watch(cell, waiter);
    while (!waiter.opened.isDone()) {
      if (Thread.interrupted()) {
        coordinator.leave(waiter);
        throw new InterruptedException();
      }
      if (!park(coordinator, deadlineNanos)) {
        if (!coordinator.leave(waiter)) {
          break; // it is over, and about to be told
        }
        Throwable unanswered = coordinator.lastFailure();
        if (!waiter.hasHeard() && unanswered != null) {
          throw runtime
              .policy()
              .unavailable("'" + cell.name() + "': the store does not answer", unanswered);
        }
        return false;
      }
    }
    RegisterAnswers.await(waiter.opened);
    return true;
  }

  /** Waits once; returns false if the time is up. */
  private boolean park(RegisterCoordinator coordinator, long deadlineNanos) {
    if (deadlineNanos == Instants.NEVER) {
      LockSupport.park(coordinator);
      return true;
    }
    long left = deadlineNanos - runtime.now();
    if (left > 0) {
      LockSupport.parkNanos(coordinator, left);
    }
    return left > 0;
  }

  @Override
  public CompletionStage<Void> awaitAsync() {
    LatchWaiter waiter = new LatchWaiter(cell, null);
    RegisterCoordinator coordinator;
    try {
      coordinator = registers.watch(cell, waiter);
    } catch (LockkeeperClosedException closed) {
      return CompletableFuture.failedFuture(closed);
    }
    CompletableFuture<Void> told = RegisterAnswers.async(runtime, waiter.opened, opened -> null);
    CompletionStage<Void> stage = told;
    stage.exceptionally(
        failure -> {
          coordinator.leave(waiter); // cancelled by the caller, or over anyway
          return null;
        });
    return told;
  }

  @Override
  public String toString() {
    return "countDownLatch['" + cell.name() + "' at " + runtime.store().describe() + "]";
  }
}
