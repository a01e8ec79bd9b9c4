package io.lockkeeper.examples.store;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class MapsCellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return new MapsTckStore();
  }
}
