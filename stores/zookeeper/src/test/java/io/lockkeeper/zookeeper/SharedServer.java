package io.lockkeeper.zookeeper;

import io.lockkeeper.servers.ZooKeeperServer;

/** One healthy server for all tests of this process, which ends it. */
final class SharedServer {

  private static final ZooKeeperServer SERVER = ZooKeeperServer.start();

  private SharedServer() {}

  static ZooKeeperServer running() {
    return SERVER;
  }
}
