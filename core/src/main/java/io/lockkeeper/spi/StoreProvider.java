package io.lockkeeper.spi;

import java.util.Optional;
import java.util.Set;

/** Opens one kind of store by its URLs. Found through {@link java.util.ServiceLoader}. */
public interface StoreProvider {

  /** Returns the URL schemes of this kind of store, in lower case and without the colon. */
  Set<String> schemes();

  /** Returns an example URL for error messages. */
  String example();

  /**
   * Parses a URL without connecting.
   *
   * @throws IllegalArgumentException if it is malformed; the message must not contain a password
   */
  StoreFactory factory(String url);

  /**
   * Returns the doctor for the store at a URL, without connecting; empty if this kind of store has
   * no configuration to examine.
   *
   * @throws IllegalArgumentException as {@link #factory}
   */
  default Optional<StoreDoctor> doctor(String url) {
    return Optional.empty();
  }

  /**
   * Returns the cleaner for the store at a URL, without connecting; empty if this kind of store
   * needs no cleaning.
   *
   * @throws IllegalArgumentException as {@link #factory}
   */
  default Optional<StoreCleaner> cleaner(String url) {
    return Optional.empty();
  }
}
