package io.lockkeeper.spi.record;

import io.lockkeeper.spi.Outcome;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a step on what was read.
 *
 * @param answer the answer, if the change is made
 * @param change the change; null if the step only looks
 * @param isNeeded whether the change leaves anything other than it was read
 * @param appended the bound entries that it puts and that were not there; empty if there is no
 *     record
 * @param onlyAppends whether it does nothing else
 * @param isFull whether nobody can be admitted after it, so that nobody has to be looked for
 */
record Decision<T>(
    Outcome<T> answer,
    @Nullable Change change,
    boolean isNeeded,
    List<Entry> appended,
    boolean onlyAppends,
    boolean isFull) {

  /** Returns a decision that changes nothing, whatever is under way. */
  static <T> Decision<T> look(Outcome<T> answer) {
    return new Decision<>(answer, null, false, List.of(), false, true);
  }

  /** Returns a decision with this change. */
  static <T> Decision<T> of(Reading reading, Outcome<T> answer, Change change) {
    return of(reading, answer, change, true);
  }

  /** Returns a decision with this change, after which nobody can be admitted or somebody may. */
  static <T> Decision<T> of(Reading reading, Outcome<T> answer, Change change, boolean isFull) {
    boolean isKept = Objects.equals(change.head(), reading.head()) && change.removed().isEmpty();
    boolean isNone = isKept && change.put().isEmpty() && change.messages().isEmpty();
    List<Entry> appended =
        reading.head() == null
            ? List.of()
            : change.put().stream().filter(each -> each.isBound() && !reading.has(each)).toList();
    boolean onlyAppends = isKept && appended.size() == change.put().size();
    return new Decision<>(answer, change, !isNone, appended, onlyAppends, isFull);
  }

  /** Returns the same decision, whose change is made in any case if so. */
  Decision<T> always(boolean isSo) {
    return new Decision<>(answer, change, isNeeded || isSo, appended, onlyAppends, isFull);
  }

  /** Decides on a record alone, without I/O, and again whenever that has changed. */
  interface Step<T> {

    Decision<T> decide(Reading reading) throws NeedsMore;

    /** Returns whether it may decide on {@link Change#ANY_ABSENCE}. */
    default boolean knowsAnyAbsence() {
      return false;
    }

    /** Returns whether its client is to be notified of the next change of what it reads. */
    default boolean isWatching() {
      return false;
    }

    /** Returns whether its changes demand that its client's record is there. */
    default boolean demandsPresence() {
      return false;
    }

    /** Returns whether it needs all entries. */
    default boolean needsAll() {
      return false;
    }

    /** Returns whether its answer tells of others who wait, and is wrong if any were not seen. */
    default boolean tellsOfOthers() {
      return false;
    }

    /** Returns the answer to a change that was made, given the places of what it put. */
    default Outcome<T> placed(Outcome<T> answer, List<Entry> placed) {
      return answer;
    }

    /** Returns the answer to a change that was made, as it is given what is there after it. */
    default Outcome<T> revised(Outcome<T> answer, Reading after) throws NeedsMore {
      return answer;
    }

    /** Returns a step that admits those who have come unseen, or null if that is no question. */
    default @Nullable Step<?> lookAgain() {
      return null;
    }
  }
}
