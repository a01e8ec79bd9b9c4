package io.lockkeeper;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Bytes, or a text, that all clients of a store share: a setting, say, or a small state. It stays,
 * whatever becomes of the clients, until it is deleted.
 *
 * <p>Each value has a version, which every change makes larger, also over a deletion. A change is
 * made exactly once, also when the store's answer is lost.
 *
 * <p><b>Failures.</b> Every method waits for the store, through interrupts (which keep the thread's
 * interrupted status). It throws {@link StoreUnavailableException} when the store has not answered
 * for the store patience: the change may then have been made, or may still be. The same is true of
 * the {@link LockkeeperClosedException} that ends it when the client is closed. {@link
 * StoreRefusedException} means that nothing has changed.
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

  /**
   * Sets the value if its version is this one, and returns the new version; empty if it has another
   * one.
   *
   * @param version the version that is to be replaced; 0 if there must be no value yet
   * @throws IllegalArgumentException if the version is negative or there are more than {@link
   *     #MAX_BYTES}
   */
  OptionalLong compareAndSet(long version, byte[] value);

  /** As {@link #compareAndSet(long, byte[])}, with a text in UTF-8. */
  OptionalLong compareAndSet(long version, String value);

  /**
   * Replaces the value by what {@code function} makes of it, and returns the new one. The function
   * is called again if another change came in between, so it should have no side effects; each time
   * that happens somebody else has got on. What it throws ends the update.
   */
  VersionedValue update(Function<Optional<VersionedValue>, byte[]> function);

  /**
   * Has {@code listener} hear the value as it is now, and then each time it has changed; empty if
   * there is no value (any more).
   *
   * <p>A value that was replaced soon may be left out, but the last one is always heard: about a
   * second later if the store's message is lost, and again after every interruption of the
   * connection. The listener is called on the client's executor, one value at a time, newest last;
   * what it throws is logged. It ends when its registration or the client is closed.
   */
  Registration onChange(Consumer<? super Optional<VersionedValue>> listener);

  /** Removes the value; returns whether there was one. */
  boolean delete();
}
