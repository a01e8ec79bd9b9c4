package io.lockkeeper.spi.record;

import org.jspecify.annotations.Nullable;

/** A store's answer to a change. */
public sealed interface CommitAnswer {

  /**
   * The change has been made.
   *
   * @param version the record's version now
   */
  record Committed(long version) implements CommitAnswer {}

  /**
   * The record has another version than was expected; nothing was changed.
   *
   * @param found the record as it is now, if the store can tell at once; or null. All of it, or a
   *     page with what the change {@linkplain Change#otherwise asks for}
   */
  record Conflict(@Nullable Reading found) implements CommitAnswer {}
}
