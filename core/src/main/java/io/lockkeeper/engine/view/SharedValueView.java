package io.lockkeeper.engine.view;

import io.lockkeeper.Registration;
import io.lockkeeper.SharedValue;
import io.lockkeeper.VersionedValue;
import io.lockkeeper.engine.register.RegisterAnswers;
import io.lockkeeper.engine.register.RegisterCoordinator;
import io.lockkeeper.engine.register.Registers;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellValue;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/** Shows users a shared value. It has no state of its own. */
final class SharedValueView implements SharedValue {

  private final Registers registers;
  private final ClientRuntime runtime;
  private final CellId cell;

  SharedValueView(Registers registers, CellId cell) {
    this.registers = registers;
    this.runtime = registers.runtime();
    this.cell = cell;
  }

  @Override
  public String name() {
    return cell.name();
  }

  @Override
  public Optional<VersionedValue> get() {
    return RegisterAnswers.versioned(RegisterAnswers.await(registers.read(cell)));
  }

  @Override
  public CompletionStage<Optional<VersionedValue>> getAsync() {
    return RegisterAnswers.async(runtime, registers.read(cell), RegisterAnswers::versioned);
  }

  @Override
  public long set(byte[] value) {
    return change(new CellChange.Put(checked(value), 0)).version();
  }

  @Override
  public long set(String value) {
    return set(bytes(value));
  }

  @Override
  public CompletionStage<Long> setAsync(byte[] value) {
    return changeAsync(new CellChange.Put(checked(value), 0), CellResult::version);
  }

  @Override
  public CompletionStage<Long> setAsync(String value) {
    return setAsync(bytes(value));
  }

  @Override
  public OptionalLong compareAndSet(long version, byte[] value) {
    return versionIfDone(change(compared(version, value)));
  }

  @Override
  public OptionalLong compareAndSet(long version, String value) {
    return compareAndSet(version, bytes(value));
  }

  @Override
  public CompletionStage<OptionalLong> compareAndSetAsync(long version, byte[] value) {
    return changeAsync(compared(version, value), SharedValueView::versionIfDone);
  }

  @Override
  public CompletionStage<OptionalLong> compareAndSetAsync(long version, String value) {
    return compareAndSetAsync(version, bytes(value));
  }

  private static CellChange compared(long version, byte[] value) {
    CellValue next = checked(value);
    if (version < 0) {
      throw new IllegalArgumentException("a version must not be negative, was " + version);
    }
    return replaced(version, next);
  }

  private static OptionalLong versionIfDone(CellResult result) {
    return isDone(result) ? OptionalLong.of(result.version()) : OptionalLong.empty();
  }

  private static CellChange replaced(long version, CellValue value) {
    return version == 0
        ? new CellChange.Create(value, 0)
        : new CellChange.Replace(version, value, 0);
  }

  @Override
  public VersionedValue update(Function<Optional<VersionedValue>, byte[]> function) {
    Objects.requireNonNull(function, "function");
    while (true) {
      Update update = new Update(get(), function);
      CellResult result = change(update.change());
      if (isDone(result)) {
        return update.done(result);
      }
    }
  }

  @Override
  public CompletionStage<VersionedValue> updateAsync(
      Function<Optional<VersionedValue>, byte[]> function) {
    Objects.requireNonNull(function, "function");
    return getAsync()
        .thenCompose(
            found -> {
              Update update = new Update(found, function);
              return changeAsync(update.change(), Function.identity())
                  .thenCompose(
                      result ->
                          isDone(result)
                              ? CompletableFuture.completedFuture(update.done(result))
                              : updateAsync(function));
            });
  }

  /** Replaces one version of the value by what a function makes of it. */
  private record Update(long version, CellValue next) {

    Update(Optional<VersionedValue> found, Function<Optional<VersionedValue>, byte[]> function) {
      this(found.map(VersionedValue::version).orElse(0L), checked(function.apply(found)));
    }

    CellChange change() {
      return replaced(version, next);
    }

    VersionedValue done(CellResult result) {
      return new VersionedValue(result.version(), next.bytes());
    }
  }

  @Override
  public Registration onChange(Consumer<? super Optional<VersionedValue>> listener) {
    Objects.requireNonNull(listener, "listener");
    ValueListener watcher = new ValueListener(runtime, cell, listener);
    RegisterCoordinator coordinator = registers.watch(cell, watcher);
    return () -> {
      watcher.close();
      coordinator.leave(watcher);
    };
  }

  @Override
  public boolean delete() {
    return isDone(change(new CellChange.Delete()));
  }

  @Override
  public CompletionStage<Boolean> deleteAsync() {
    return changeAsync(new CellChange.Delete(), SharedValueView::isDone);
  }

  private static boolean isDone(CellResult result) {
    return result.verdict() == Verdict.DONE;
  }

  private CellResult change(CellChange change) {
    return RegisterAnswers.await(registers.change(cell, change));
  }

  private <T> CompletionStage<T> changeAsync(CellChange change, Function<CellResult, T> answer) {
    return RegisterAnswers.async(runtime, registers.change(cell, change), answer);
  }

  private static byte[] bytes(String value) {
    return Objects.requireNonNull(value, "value").getBytes(StandardCharsets.UTF_8);
  }

  private static CellValue checked(byte[] value) {
    Objects.requireNonNull(value, "value");
    if (value.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "a shared value must have at most " + MAX_BYTES + " bytes, has " + value.length);
    }
    return CellValue.of(value);
  }

  @Override
  public String toString() {
    return "sharedValue['" + cell.name() + "' at " + runtime.store().describe() + "]";
  }
}
