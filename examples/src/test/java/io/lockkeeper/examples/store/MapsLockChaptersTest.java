package io.lockkeeper.examples.store;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class MapsLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return new MapsTckStore();
  }
}
