package io.lockkeeper.spi;

import java.util.List;

/**
 * What a store answers to an update.
 *
 * @param results what became of each change, in their order
 */
public record CellUpdated(List<CellResult> results) {

  /** Copies the list. */
  public CellUpdated {
    results = List.copyOf(results);
  }
}
