package io.lockkeeper.spi;

import java.util.List;

/**
 * Changes of one cell that one client wants made in one step, in order.
 *
 * @param cell which cell
 * @param batch a number that this client gives to no other batch, larger than those of all its
 *     batches for this cell before
 * @param changes what to do, at least one and at most {@link Store#MAX_CHANGES}
 * @param rememberMillis how long the store is to know the results after it has made the changes
 */
public record CellUpdate(CellId cell, long batch, List<CellChange> changes, long rememberMillis) {

  /** Copies the list. */
  public CellUpdate {
    changes = List.copyOf(changes);
  }
}
