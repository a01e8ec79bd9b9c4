package io.lockkeeper.spring;

import io.lockkeeper.LockOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The defaults of {@link Locked} and {@link LockTemplate}. Declare a bean of this type to change
 * it. Immutable; each {@code with} method returns a changed copy.
 */
public final class LockSettings {

  private static final LockSettings DEFAULTS =
      new LockSettings(null, OnLoss.EVENT, InsideTransaction.WARN, name -> LockOptions.defaults());

  private final @Nullable Duration waitTime;
  private final OnLoss onLoss;
  private final InsideTransaction insideTransaction;
  private final Function<String, LockOptions> options;

  private LockSettings(
      @Nullable Duration waitTime,
      OnLoss onLoss,
      InsideTransaction insideTransaction,
      Function<String, LockOptions> options) {
    this.waitTime = waitTime;
    this.onLoss = onLoss;
    this.insideTransaction = insideTransaction;
    this.options = options;
  }

  /** Returns the defaults: unlimited waits, an event on loss, a warning inside transactions. */
  public static LockSettings defaults() {
    return DEFAULTS;
  }

  /** Limits the wait of annotations that do not say one; zero asks once. */
  public LockSettings withWaitTime(Duration wait) {
    Objects.requireNonNull(wait, "wait");
    return new LockSettings(wait, onLoss, insideTransaction, options);
  }

  /** Sets what happens if a lease is lost while a method runs. */
  public LockSettings withOnLoss(OnLoss onLoss) {
    if (onLoss == OnLoss.DEFAULT) {
      throw new IllegalArgumentException("the default itself must be one of the others");
    }
    return new LockSettings(waitTime, onLoss, insideTransaction, options);
  }

  /** Sets what happens if a lock would be released before the commit. */
  public LockSettings withInsideTransaction(InsideTransaction insideTransaction) {
    Objects.requireNonNull(insideTransaction, "insideTransaction");
    return new LockSettings(waitTime, onLoss, insideTransaction, options);
  }

  /**
   * Sets how the options of a lock follow from its name. Of a read-write lock the lease and the
   * confirmation of the release count, of a semaphore nothing.
   */
  public LockSettings withOptions(Function<String, LockOptions> options) {
    Objects.requireNonNull(options, "options");
    return new LockSettings(waitTime, onLoss, insideTransaction, options);
  }

  /** Returns the limit on the wait of annotations that do not say one, or empty for none. */
  public Optional<Duration> waitTime() {
    return Optional.ofNullable(waitTime);
  }

  /** Returns what happens if a lease is lost while a method runs. */
  public OnLoss onLoss() {
    return onLoss;
  }

  /** Returns what happens if a lock would be released before the commit. */
  public InsideTransaction insideTransaction() {
    return insideTransaction;
  }

  /** Returns the options of the lock of this name. */
  public LockOptions options(String name) {
    return options.apply(name);
  }
}
