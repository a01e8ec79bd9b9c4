package io.lockkeeper;

import java.util.OptionalLong;

/**
 * A report on a counter, a shared value or a latch, as the store had it at one moment.
 *
 * @param kind its kind
 * @param name its name
 * @param number the number of a counter or a latch; empty for a shared value, which may be a secret
 * @param size how many bytes it has at the store
 */
public record CellReport(Kind kind, String name, OptionalLong number, int size) {

  /** The kinds of what holds a value. */
  public enum Kind {
    /** A counter: see {@link Lockkeeper#counter}. */
    COUNTER("counter"),

    /** A shared value: see {@link Lockkeeper#sharedValue}. */
    SHARED_VALUE("shared value"),

    /** A latch: see {@link Lockkeeper#countDownLatch}. */
    LATCH("latch");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** Returns the kind in words, for messages. */
    @Override
    public String toString() {
      return words;
    }
  }
}
