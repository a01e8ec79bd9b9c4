package io.lockkeeper.memory;

import io.lockkeeper.testkit.tck.PeerRegressions;
import io.lockkeeper.testkit.tck.PeerScenarios;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Nested;

class MemoryPeersTest {

  @Nested
  class Regressions extends PeerRegressions {
    @Override
    protected TckStore openStore() {
      return new MemoryTckStore();
    }
  }

  @Nested
  class Scenarios extends PeerScenarios {
    @Override
    protected TckStore openStore() {
      return new MemoryTckStore();
    }
  }
}
