package io.lockkeeper.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.servers.EtcdBinary;
import io.lockkeeper.servers.EtcdServer;

/** One server for all tests of this JVM that do not break it. */
final class SharedServer {

  private static final boolean IS_CI = Boolean.parseBoolean(System.getenv("CI"));

  private SharedServer() {}

  /** Skips the test where there is no etcd; a continuous integration run must have it. */
  static void assumeThere() {
    assumeTrue(IS_CI || EtcdBinary.onPath().isPresent(), EtcdBinary.WHY_NONE);
  }

  static EtcdServer running() {
    assumeThere();
    return Started.SERVER;
  }

  /** Started when first asked for; it ends with this JVM. */
  private static final class Started {
    static final EtcdServer SERVER = EtcdServer.start();
  }
}
