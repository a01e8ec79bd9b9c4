package io.lockkeeper.spi;

import java.util.List;

/**
 * A request to make several changes of one cell in one step, in order.
 *
 * @param cell the cell to change
 * @param batch a number that this client gives to no other batch, larger than those of all its
 *     batches for this cell before
 * @param changes the changes, at least one and at most {@link Store#MAX_CHANGES}
 * @param rememberMillis how long the store must remember the results after it has made the changes
 */
public record CellUpdate(CellId cell, long batch, List<CellChange> changes, long rememberMillis) {

  /** Copies the list. */
  public CellUpdate {
    changes = List.copyOf(changes);
  }
}
