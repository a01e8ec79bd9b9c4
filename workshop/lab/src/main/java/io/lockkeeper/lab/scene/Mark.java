package io.lockkeeper.lab.scene;

/**
 * A watched order was at a point.
 *
 * @param instance in which process, from 1
 * @param nanos when, by the clock that all processes of a machine share
 */
record Mark(int instance, String order, String point, long nanos) {

  /** Reads what an instance says, without the word before it. */
  static Mark of(int instance, String line) {
    String[] parts = line.split(" ", 3);
    return new Mark(instance, parts[0], parts[1], Long.parseLong(parts[2]));
  }
}
