package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.versions.MixedVersions;

/** Clients of two versions on one PostgreSQL server. */
class PostgresMixedVersionsTest extends MixedVersions {

  @Override
  protected String url() {
    return Databases.postgres().jdbcUrl();
  }
}
