package io.lockkeeper.jdbc;

import java.util.List;

/**
 * Queries for what must not be left of a namespace: three columns that say what it is. What is dead
 * or over, and only waits for somebody to pass, is no residue; nor is the row of a resource that
 * nobody holds, which is never deleted.
 */
final class Residue {

  private Residue() {}

  static List<String> queries(Dialect dialect) {
    return List.of(
        "select r.kind, r.name, r.holder from lockkeeper_resource r where r.namespace = ?"
            + " and r.holder is not null and r.end_micros > "
            + dialect.now,
        "select r.kind, r.name, 'is resized' from lockkeeper_resource r where r.namespace = ?"
            + " and r.resized = 1",
        "select r.name, c.client, c.claim from lockkeeper_resource r, lockkeeper_claim c"
            + " where r.namespace = ? and c.resource_id = r.id and c.end_micros > "
            + dialect.now);
  }
}
