package io.lockkeeper.etcd;

import io.lockkeeper.servers.EtcdServer;

/** One server for all tests of this JVM that do not break it. */
final class SharedServer {

  private SharedServer() {}

  static EtcdServer running() {
    return Started.SERVER;
  }

  /** Started when first asked for; it ends with this JVM. */
  private static final class Started {
    static final EtcdServer SERVER = EtcdServer.builder().inMemory().start();
  }
}
