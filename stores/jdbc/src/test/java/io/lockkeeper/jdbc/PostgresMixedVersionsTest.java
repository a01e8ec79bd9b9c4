package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.versions.MixedVersions;
import org.junit.jupiter.api.Tag;

/** Clients of two versions on one PostgreSQL server. */
@Tag("full")
class PostgresMixedVersionsTest extends MixedVersions {

  @Override
  protected String url() {
    return Databases.postgres().jdbcUrl();
  }
}
