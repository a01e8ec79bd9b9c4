package io.lockkeeper.engine;

import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellValue;
import java.util.concurrent.CompletableFuture;

/**
 * A change of a cell that one caller wants.
 *
 * @param change what to do
 * @param done what became of it
 */
record CellTask(CellChange change, CompletableFuture<CellResult> done) {

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
