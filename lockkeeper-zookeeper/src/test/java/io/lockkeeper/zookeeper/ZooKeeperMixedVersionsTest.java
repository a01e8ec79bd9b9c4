package io.lockkeeper.zookeeper;

import io.lockkeeper.testkit.versions.MixedVersions;

/** Clients of two versions on one ZooKeeper server. */
class ZooKeeperMixedVersionsTest extends MixedVersions {

  @Override
  protected String url() {
    return SharedServer.running().url() + "?connectTimeout=20s";
  }
}
