package io.lockkeeper.spi.record;

import org.jspecify.annotations.Nullable;

/** A store's answer to a change. */
public sealed interface CommitAnswer {

  /**
   * The change has been made.
   *
   * @param version the record's version now
   * @param entries how many entries it has now; -1 where the store does not say
   */
  record Committed(long version, int entries) implements CommitAnswer {

    /** Creates an answer that does not say how many entries there are. */
    public Committed(long version) {
      this(version, -1);
    }
  }

  /**
   * The record has another version than was expected; nothing was changed.
   *
   * @param found the record as it is now, if the store can tell at once; or null. All of it, or a
   *     page with what the change {@linkplain Change#otherwise asks for}
   */
  record Conflict(@Nullable Reading found) implements CommitAnswer {}

  /**
   * The record that was {@linkplain Change#demanded demanded} is not there; nothing was changed.
   */
  record Absent() implements CommitAnswer {}
}
