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
    CellChange change = new CellChange.Put(checked(value), 0);
    return RegisterAnswers.async(runtime, registers.change(cell, change), CellResult::version);
  }

  @Override
  public OptionalLong compareAndSet(long version, byte[] value) {
    CellValue wanted = checked(value);
    if (version < 0) {
      throw new IllegalArgumentException("a version must not be negative, was " + version);
    }
    CellResult result = change(replaced(version, wanted));
    return result.verdict() == Verdict.DONE
        ? OptionalLong.of(result.version())
        : OptionalLong.empty();
  }

  @Override
  public OptionalLong compareAndSet(long version, String value) {
    return compareAndSet(version, bytes(value));
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
      Optional<VersionedValue> found = get();
      CellValue wanted = checked(function.apply(found));
      long version = found.map(VersionedValue::version).orElse(0L);
      CellResult result = change(replaced(version, wanted));
      if (result.verdict() == Verdict.DONE) {
        return new VersionedValue(result.version(), wanted.bytes());
      }
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
    return change(new CellChange.Delete()).verdict() == Verdict.DONE;
  }

  private CellResult change(CellChange change) {
    return RegisterAnswers.await(registers.change(cell, change));
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
