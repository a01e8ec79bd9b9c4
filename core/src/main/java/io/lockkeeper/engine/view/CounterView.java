package io.lockkeeper.engine.view;

import io.lockkeeper.DistributedCounter;
import io.lockkeeper.engine.register.RegisterAnswers;
import io.lockkeeper.engine.register.Registers;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellValue;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;

/** Shows users a counter. It has no state of its own. */
final class CounterView implements DistributedCounter {

  private final Registers registers;
  private final ClientRuntime runtime;
  private final CellId cell;

  CounterView(Registers registers, CellId cell) {
    this.registers = registers;
    this.runtime = registers.runtime();
    this.cell = cell;
  }

  @Override
  public String name() {
    return cell.name();
  }

  @Override
  public long get() {
    return RegisterAnswers.number(cell, RegisterAnswers.await(registers.read(cell)));
  }

  @Override
  public void set(long value) {
    change(put(value));
  }

  @Override
  public long getAndSet(long value) {
    return change(put(value)).before();
  }

  @Override
  public long addAndGet(long delta) {
    return change(added(delta)).number();
  }

  @Override
  public long getAndAdd(long delta) {
    return change(added(delta)).before();
  }

  @Override
  public boolean compareAndSet(long expected, long value) {
    return isDone(change(new CellChange.ReplaceNumber(expected, value)));
  }

  @Override
  public long maxAndGet(long value) {
    return change(new CellChange.Raise(value)).number();
  }

  @Override
  public long updateAndGet(LongUnaryOperator function) {
    return update(function).number();
  }

  @Override
  public long getAndUpdate(LongUnaryOperator function) {
    return update(function).before();
  }

  /** Tells what was replaced by what. */
  private record Replaced(long before, long number) {}

  /** Each round that fails has brought the number that the next one expects. */
  private Replaced update(LongUnaryOperator function) {
    Objects.requireNonNull(function, "function");
    long before = get();
    while (true) {
      long number = function.applyAsLong(before);
      CellResult result = change(new CellChange.ReplaceNumber(before, number));
      if (isDone(result)) {
        return new Replaced(before, number);
      }
      before = result.before();
    }
  }

  @Override
  public boolean delete() {
    return isDone(change(new CellChange.Delete()));
  }

  // ------------------------------------------------------------- asynchronous forms

  @Override
  public CompletionStage<Long> getAsync() {
    return RegisterAnswers.async(
        runtime, registers.read(cell), state -> RegisterAnswers.number(cell, state));
  }

  @Override
  public CompletionStage<Void> setAsync(long value) {
    return changeAsync(put(value), result -> null);
  }

  @Override
  public CompletionStage<Long> getAndSetAsync(long value) {
    return changeAsync(put(value), CellResult::before);
  }

  @Override
  public CompletionStage<Long> addAndGetAsync(long delta) {
    return changeAsync(added(delta), CellResult::number);
  }

  @Override
  public CompletionStage<Long> getAndAddAsync(long delta) {
    return changeAsync(added(delta), CellResult::before);
  }

  @Override
  public CompletionStage<Boolean> compareAndSetAsync(long expected, long value) {
    return changeAsync(new CellChange.ReplaceNumber(expected, value), CounterView::isDone);
  }

  @Override
  public CompletionStage<Long> maxAndGetAsync(long value) {
    return changeAsync(new CellChange.Raise(value), CellResult::number);
  }

  @Override
  public CompletionStage<Long> updateAndGetAsync(LongUnaryOperator function) {
    return updateAsync(function).thenApply(Replaced::number);
  }

  @Override
  public CompletionStage<Long> getAndUpdateAsync(LongUnaryOperator function) {
    return updateAsync(function).thenApply(Replaced::before);
  }

  private CompletionStage<Replaced> updateAsync(LongUnaryOperator function) {
    Objects.requireNonNull(function, "function");
    return getAsync().thenCompose(before -> replacedAsync(before, function));
  }

  private CompletionStage<Replaced> replacedAsync(long before, LongUnaryOperator function) {
    long number = function.applyAsLong(before);
    return changeAsync(new CellChange.ReplaceNumber(before, number), Function.identity())
        .thenCompose(
            result ->
                isDone(result)
                    ? CompletableFuture.completedFuture(new Replaced(before, number))
                    : replacedAsync(result.before(), function));
  }

  @Override
  public CompletionStage<Boolean> deleteAsync() {
    return changeAsync(new CellChange.Delete(), CounterView::isDone);
  }

  // -------------------------------------------------------------

  private static CellChange put(long value) {
    return new CellChange.Put(CellValue.of(value), 0);
  }

  private static CellChange added(long delta) {
    return new CellChange.Add(delta, null, true);
  }

  private static boolean isDone(CellResult result) {
    return result.verdict() == Verdict.DONE;
  }

  private CellResult change(CellChange change) {
    CellResult result = RegisterAnswers.await(registers.change(cell, change));
    return RegisterAnswers.checked(cell, change, result);
  }

  private <T> CompletionStage<T> changeAsync(CellChange change, Function<CellResult, T> answer) {
    return RegisterAnswers.async(
        runtime,
        registers.change(cell, change),
        result -> answer.apply(RegisterAnswers.checked(cell, change, result)));
  }

  @Override
  public String toString() {
    return "counter['" + cell.name() + "' at " + runtime.store().describe() + "]";
  }
}
