package io.lockkeeper.spi;

import java.util.Optional;
import java.util.Set;

/** Knows the URLs of one kind of store. Found through {@link java.util.ServiceLoader}. */
public interface StoreProvider {

  /** Returns the URL schemes it knows, in lower case and without the colon. */
  Set<String> schemes();

  /** Returns an example URL for error messages. */
  String example();

  /**
   * Reads a URL without connecting.
   *
   * @throws IllegalArgumentException if it is malformed; the message must not contain a password
   */
  StoreFactory factory(String url);

  /**
   * Returns who examines the store at a URL, without connecting; empty if there is nothing to be
   * set up in this kind of store.
   *
   * @throws IllegalArgumentException as {@link #factory}
   */
  default Optional<StoreDoctor> doctor(String url) {
    return Optional.empty();
  }

  /**
   * Returns who cleans the store at a URL, without connecting; empty if this kind of store needs no
   * cleaning.
   *
   * @throws IllegalArgumentException as {@link #factory}
   */
  default Optional<StoreCleaner> cleaner(String url) {
    return Optional.empty();
  }
}
