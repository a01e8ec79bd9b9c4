package io.lockkeeper.spi.record;

import io.lockkeeper.spi.Outcome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a step on what was read.
 *
 * @param answer the answer, if the change is made
 * @param change the change; null if nothing is to be changed
 */
record Decision<T>(Outcome<T> answer, @Nullable Change change) {

  /** Returns a decision with this change, or with none if that leaves all as it was read. */
  static <T> Decision<T> of(Reading reading, Outcome<T> answer, Change change) {
    boolean isNone =
        Objects.equals(change.head(), reading.head())
            && change.removed().isEmpty()
            && change.put().isEmpty()
            && change.messages().isEmpty();
    return new Decision<>(answer, isNone ? null : change);
  }

  /** Decides on a record alone, without I/O, and again whenever that has changed. */
  interface Step<T> {

    Decision<T> decide(Reading reading) throws NeedsMore;
  }
}
