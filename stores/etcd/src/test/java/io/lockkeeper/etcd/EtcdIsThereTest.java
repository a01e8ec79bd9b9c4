package io.lockkeeper.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.servers.EtcdBinary;
import org.junit.jupiter.api.Test;

/** Shows by being skipped that the tests on a server did not run. */
class EtcdIsThereTest {

  private static final String NONE = "the tests on etcd are left out: " + EtcdBinary.WHY_NONE;

  @Test
  void theTestsOnAServerRun() {
    if (!ServersTests.run()) {
      System.out.println(NONE);
    }
    assumeTrue(ServersTests.run(), NONE);
  }
}
