package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.Event;

/**
 * One operation on a counter or latch.
 *
 * @param call its beginning: the note is its name, the value its argument
 * @param end its end, or its beginning again if it has none
 * @param isKnown whether it returned; if not, it may take effect at any time after its beginning
 */
record Operation(Event call, Event end, boolean isKnown) {

  String name() {
    return call.note();
  }

  long argument() {
    return call.value();
  }

  long result() {
    return end.value();
  }

  /** Returns whether the two, while both are under way, may change places. */
  boolean isLike(Operation other) {
    return name().equals(other.name())
        && argument() == other.argument()
        && isKnown == other.isKnown
        && (!isKnown || result() == other.result());
  }

  /** Returns whether this one, of two that are alike, is to take effect first. */
  boolean goesBefore(Operation other) {
    return end.nanos() < other.end.nanos();
  }
}
