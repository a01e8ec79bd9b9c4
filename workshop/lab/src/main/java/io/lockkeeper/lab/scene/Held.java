package io.lockkeeper.lab.scene;

/**
 * A thread was inside: between acquiring the lock, or reading the stock, and leaving it.
 *
 * @param instance in which process, from 1
 * @param thread which thread of it, from 1
 * @param fromNanos when it began, by the clock that all processes of a machine share
 * @param toNanos when it ended
 */
record Held(int instance, int thread, long fromNanos, long toNanos) {

  /** Reads what an instance says, without the word before it. */
  static Held of(int instance, String line) {
    String[] parts = line.split(" ", 3);
    return new Held(
        instance, Integer.parseInt(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
  }
}
