package io.lockkeeper.engine.state;

import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellValue;

/**
 * Represents a change of a register that one caller wants.
 *
 * @param change what to do
 * @param receiver hears what became of it
 */
public record RegisterChange(CellChange change, Receiver<CellResult> receiver) {

  /** Returns about how large it is in a request. */
  int size() {
    if (change instanceof CellChange.Create create) {
      return create.value().size();
    } else if (change instanceof CellChange.Put put) {
      return put.value().size();
    }
    return change instanceof CellChange.Replace replace ? sizeOf(replace.value()) : 0;
  }

  private static int sizeOf(CellValue value) {
    return value.size();
  }
}
