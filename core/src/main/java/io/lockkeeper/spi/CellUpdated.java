package io.lockkeeper.spi;

import java.util.List;

/**
 * A store's answer to an update.
 *
 * @param results the result of each change, in the order of the changes
 */
public record CellUpdated(List<CellResult> results) {

  /** Copies the list. */
  public CellUpdated {
    results = List.copyOf(results);
  }
}
