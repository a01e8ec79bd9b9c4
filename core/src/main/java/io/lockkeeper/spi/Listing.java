package io.lockkeeper.spi;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question for the ids of resources or cells: those whose names begin with a prefix, or the next
 * of them.
 *
 * @param prefix how their names begin; empty for all
 * @param after the last one that is known already, in the order of the store; null to begin
 * @param limit how many to list at most, at least 1
 */
public record Listing<I extends Named>(String prefix, @Nullable I after, int limit) {

  /** Checks the limit. */
  public Listing {
    if (limit < 1) {
      throw new IllegalArgumentException("a listing of " + limit);
    }
  }

  /** Returns the question for all of them at once. */
  public static <I extends Named> Listing<I> all() {
    return all("");
  }

  /** Returns the question for all with names that begin with {@code prefix} at once. */
  public static <I extends Named> Listing<I> all(String prefix) {
    return new Listing<>(prefix, null, Integer.MAX_VALUE);
  }

  /**
   * Returns those of all ids that are asked for, in order of their names. A store without an order
   * of its own answers with this.
   */
  public List<I> of(Collection<I> all) {
    I last = after;
    return all.stream()
        .filter(id -> id.name().startsWith(prefix))
        .filter(id -> last == null || Named.ORDER.compare(id, last) > 0)
        .sorted(Named.ORDER)
        .limit(limit)
        .toList();
  }
}
