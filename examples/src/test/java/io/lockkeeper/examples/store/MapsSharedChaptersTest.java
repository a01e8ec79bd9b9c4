package io.lockkeeper.examples.store;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class MapsSharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return new MapsTckStore();
  }
}
