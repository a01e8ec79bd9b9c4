package io.lockkeeper.spi;

import java.util.OptionalInt;

/**
 * A store's answer to a change of a limit.
 *
 * @param changed whether the change was made, by this request or an earlier copy of it; if not, the
 *     limit would have become negative or more than {@link Integer#MAX_VALUE}
 * @param limit the limit in force; empty if there is none
 */
public record Resized(boolean changed, OptionalInt limit) {

  /**
   * Creates an answer with a limit as records have it.
   *
   * @param limit the limit, or {@link Inspection#UNSET}
   */
  public Resized(boolean changed, int limit) {
    this(changed, Inspection.known(limit));
  }
}
