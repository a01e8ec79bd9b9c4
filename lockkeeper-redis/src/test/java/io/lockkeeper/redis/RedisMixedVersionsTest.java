package io.lockkeeper.redis;

import io.lockkeeper.testkit.versions.MixedVersions;

/** Clients of two versions on one Redis server. */
class RedisMixedVersionsTest extends MixedVersions {

  @Override
  protected String url() {
    return SharedServers.running(Binaries.newest()).url() + "?connectTimeout=20s";
  }
}
