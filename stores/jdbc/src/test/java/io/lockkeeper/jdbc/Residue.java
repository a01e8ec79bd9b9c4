package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * What must not be left of a namespace once it was cleaned: nothing but what is remembered for a
 * minute, which is that a claim was taken back at a barrier, and what the last update of a client
 * did.
 */
final class Residue {

  private static final String MEMORY =
      "exists (select 1 from lockkeeper_cell_client m where m.cell_id = k.id"
          + " and m.known_end_micros > ";
  private static final String TAKEN_BACK =
      "exists (select 1 from lockkeeper_claim t where t.resource_id = r.id and t.granted = 2"
          + " and t.end_micros > ";

  private Residue() {}

  /** Cleans, without waiting until nobody has used a name for a while. */
  static void clean(String url, String namespace) {
    StoreContext context =
        new StoreContext(
            "cleaner",
            null,
            namespace,
            Timings.DEFAULT,
            new Environment(System::nanoTime, Threads::scheduler, new Random(1)));
    new JdbcCleaner(
            each ->
                new SqlOpener(
                    Settings.DEFAULT, each, url, () -> Databases.connect(url), false, text -> text))
        .clean(context, Duration.ZERO, false, looked -> {});
  }

  /** Returns queries for it: three columns that say what it is. */
  static List<String> queries(Dialect dialect) {
    return List.of(
        "select r.kind, r.name, coalesce(r.holder, 'is there') from lockkeeper_resource r"
            + " where r.namespace = ? and not "
            + TAKEN_BACK
            + dialect.now
            + ")",
        "select r.name, c.client, c.claim from lockkeeper_resource r, lockkeeper_claim c"
            + " where r.namespace = ? and c.resource_id = r.id and c.granted <> 2",
        "select k.kind, k.name, 'is there' from lockkeeper_cell k where k.namespace = ?"
            + " and (k.value is not null and (k.end_micros = 0 or k.end_micros > "
            + dialect.now
            + ") or not "
            + MEMORY
            + dialect.now
            + "))",
        "select k.kind, k.name, w.client from lockkeeper_cell k, lockkeeper_cell_client w"
            + " where k.namespace = ? and w.cell_id = k.id and w.watch_end_micros > "
            + dialect.now,
        "select 'client', i.name, i.id from lockkeeper_client i where i.namespace = ?");
  }
}
