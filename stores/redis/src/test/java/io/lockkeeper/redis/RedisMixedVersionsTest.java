package io.lockkeeper.redis;

import io.lockkeeper.testkit.versions.MixedVersions;
import org.junit.jupiter.api.Tag;

/** Clients of two versions on one Redis server. */
@Tag("full")
class RedisMixedVersionsTest extends MixedVersions {

  @Override
  protected String url() {
    return SharedServers.running(Binaries.newest()).url() + "?connectTimeout=20s";
  }

  /** The earlier version enters nothing into the index of names, as docs/compatibility.md says. */
  @Override
  protected boolean listsWhatOldersUse() {
    return false;
  }
}
