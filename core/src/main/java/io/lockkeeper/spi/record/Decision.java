package io.lockkeeper.spi.record;

import io.lockkeeper.spi.Outcome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a step on what was read.
 *
 * @param answer the answer, if the change is made
 * @param change the change; null if the step only looks
 * @param isNeeded whether the change leaves anything other than it was read
 */
record Decision<T>(Outcome<T> answer, @Nullable Change change, boolean isNeeded) {

  /** Returns a decision that changes nothing, whatever is under way. */
  static <T> Decision<T> look(Outcome<T> answer) {
    return new Decision<>(answer, null, false);
  }

  /** Returns a decision with this change. */
  static <T> Decision<T> of(Reading reading, Outcome<T> answer, Change change) {
    boolean isNone =
        Objects.equals(change.head(), reading.head())
            && change.removed().isEmpty()
            && change.put().isEmpty()
            && change.messages().isEmpty();
    return new Decision<>(answer, change, !isNone);
  }

  /** Decides on a record alone, without I/O, and again whenever that has changed. */
  interface Step<T> {

    Decision<T> decide(Reading reading) throws NeedsMore;

    /** Returns whether it may decide on {@link Change#ANY_ABSENCE}. */
    default boolean knowsAnyAbsence() {
      return false;
    }
  }
}
