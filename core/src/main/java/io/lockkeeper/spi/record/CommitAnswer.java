package io.lockkeeper.spi.record;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store's answer to a change. */
public sealed interface CommitAnswer {

  /**
   * The change has been made.
   *
   * @param version the record's version now
   * @param entries how many entries it has now; -1 where the store does not say
   * @param placed the bound entries that were put, with their {@linkplain Entry#place places};
   *     empty where the store does not know any
   */
  record Committed(long version, int entries, List<Entry> placed) implements CommitAnswer {

    /** Copies the list. */
    public Committed {
      placed = List.copyOf(placed);
    }

    /** Creates the answer of a store that neither counts entries nor knows their places. */
    public Committed(long version) {
      this(version, -1, List.of());
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
