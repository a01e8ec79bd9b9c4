package io.lockkeeper;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Bytes, or a text, that all clients of a store share: a setting, say, or a small state. It
 * outlives its clients: it stays until it is deleted.
 *
 * <p>Each value has a version, which every change makes larger, also over a deletion. A change is
 * made exactly once, also when the store's answer is lost.
 *
 * <p><b>Failures.</b> Every method waits for the store, through interrupts (which keep the thread's
 * interrupted status). It throws {@link StoreUnavailableException} when the store has not answered
 * for the store timeout: the change may then have been made, or may still be. The same is true of
 * the {@link LockkeeperClosedException} that a method throws when the client is closed meanwhile.
 * {@link StoreRefusedException} means that nothing has changed.
 */
public interface SharedValue {

  /** The largest value: one mebibyte. */
  int MAX_BYTES = 1 << 20;

  /** Returns the value's name. */
  String name();

  /** Returns the value, or empty if there is none. */
  Optional<VersionedValue> get();

  /** As {@link #get}, without waiting; completes on the client's executor. */
  CompletionStage<Optional<VersionedValue>> getAsync();

  /**
   * Sets the value and returns its version.
   *
   * @throws IllegalArgumentException if there are more than {@link #MAX_BYTES}
   */
  long set(byte[] value);

  /** As {@link #set(byte[])}, with a text in UTF-8. */
  long set(String value);

  /** As {@link #set(byte[])}, without waiting; completes on the client's executor. */
  CompletionStage<Long> setAsync(byte[] value);

  /** As {@link #set(String)}, without waiting; completes on the client's executor. */
  CompletionStage<Long> setAsync(String value);

  /**
   * Sets the value if its version is this one, and returns the new version; empty if it has another
   * one.
   *
   * @param version the expected version; 0 if there must be no value yet
   * @throws IllegalArgumentException if the version is negative or there are more than {@link
   *     #MAX_BYTES}
   */
  OptionalLong compareAndSet(long version, byte[] value);

  /** As {@link #compareAndSet(long, byte[])}, with a text in UTF-8. */
  OptionalLong compareAndSet(long version, String value);

  /**
   * As {@link #compareAndSet(long, byte[])}, without waiting; completes on the client's executor.
   */
  CompletionStage<OptionalLong> compareAndSetAsync(long version, byte[] value);

  /**
   * As {@link #compareAndSet(long, String)}, without waiting; completes on the client's executor.
   */
  CompletionStage<OptionalLong> compareAndSetAsync(long version, String value);

  /**
   * Replaces the value by the result of {@code function}, and returns the new value. The function
   * is called again if another change came in between, so it should have no side effects. Each such
   * repetition means that somebody else made progress. An exception of the function ends the
   * update.
   */
  VersionedValue update(Function<Optional<VersionedValue>, byte[]> function);

  /**
   * As {@link #update}, without waiting; calls the function, and completes, on the client's
   * executor.
   */
  CompletionStage<VersionedValue> updateAsync(Function<Optional<VersionedValue>, byte[]> function);

  /**
   * Registers a listener, which is called with the present value and then after each change; with
   * an empty optional if there is no value, or not any more.
   *
   * <p>A value that was soon replaced may be left out, but the last one always arrives: about a
   * second later if the store's notification is lost, and again after every interruption of the
   * connection. The listener is called on the client's executor, one value at a time, newest last;
   * what it throws is logged. It is removed when its registration or the client is closed.
   */
  Registration onChange(Consumer<? super Optional<VersionedValue>> listener);

  /** Removes the value and returns whether there was one. */
  boolean delete();

  /** As {@link #delete}, without waiting; completes on the client's executor. */
  CompletionStage<Boolean> deleteAsync();
}
