package io.lockkeeper.jdbc;

import java.util.List;

/**
 * Queries for what must not be left of a namespace: three columns that say what it is. What is dead
 * or over, and only waits for somebody to pass, is no residue; nor is the row of a resource that
 * nobody holds, which is never deleted, nor what a barrier remembers for a minute.
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
        "select k.kind, k.name, 'is there' from lockkeeper_cell k where k.namespace = ?"
            + " and k.value is not null and (k.end_micros = 0 or k.end_micros > "
            + dialect.now
            + ")",
        "select k.kind, k.name, w.client from lockkeeper_cell k, lockkeeper_cell_client w"
            + " where k.namespace = ? and w.cell_id = k.id and w.watch_end_micros > "
            + dialect.now,
        "select 'client', i.name, i.id from lockkeeper_client i where i.namespace = ?",
        "select r.name, c.client, c.claim from lockkeeper_resource r, lockkeeper_claim c"
            + " where r.namespace = ? and c.resource_id = r.id and c.granted <> 2 and c.end_micros > "
            + dialect.now);
  }
}
