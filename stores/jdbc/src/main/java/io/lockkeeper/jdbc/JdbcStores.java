package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Stores in a database that the application already reaches through a {@link DataSource}, for
 * {@link io.lockkeeper.LockkeeperBuilder#connect(StoreFactory)}.
 *
 * <pre>{@code
 * Lockkeeper keeper = Lockkeeper.builder().connect(JdbcStores.from(dataSource));
 * }</pre>
 *
 * <p>The database is PostgreSQL, MySQL, MariaDB, SQLite or, for tests, H2. Connections are taken
 * for short transactions only, none while a lock is held or waited for, and left as they were
 * found. The data source stays the application's to close.
 *
 * <p><b>A data source of its own is best.</b> Where threads wait for a lock inside transactions of
 * the same pool, they may have all of its connections, and the lock's holder gets none to renew or
 * release it with: waits then fail, with a message that says so, and leases may be lost. Acquire
 * before a transaction begins, and unlock after it is committed: what is unlocked before that lets
 * the next one in to data that is not there yet.
 *
 * <p>Immutable; each {@code with} method returns a changed copy.
 */
public final class JdbcStores implements StoreFactory {

  private final DataSource source;
  private final Settings settings;

  private JdbcStores(DataSource source, Settings settings) {
    this.source = source;
    this.settings = settings;
  }

  /** Returns stores in the database of a data source. */
  public static JdbcStores from(DataSource source) {
    Objects.requireNonNull(source, "source");
    return new JdbcStores(source, Settings.DEFAULT);
  }

  /**
   * Sets how long an operation may take before its outcome counts as unknown. Default 3 seconds.
   *
   * @throws IllegalArgumentException if not positive, or longer than 10 minutes
   */
  public JdbcStores withTimeout(Duration limit) {
    return new JdbcStores(source, settings.withTimeout(limit));
  }

  /**
   * Sets what becomes of tables that are not there. Default to create them; where they are there,
   * nothing is tried.
   */
  public JdbcStores withTables(Tables tables) {
    Objects.requireNonNull(tables, "tables");
    return new JdbcStores(source, settings.withTables(tables));
  }

  /**
   * Sets the schema of the tables, which is a database on MySQL and MariaDB. Its name is taken as
   * it stands here, in upper and lower case. With {@link Tables#CREATE} the schema is created too.
   * Not on SQLite.
   *
   * <p>Default is the schema that the first connection finds the tables in, or would create them
   * in. It stays that of this client whatever schema its later connections are in. Set it where
   * connections come back to the pool in another schema than they left it in.
   *
   * @throws IllegalArgumentException if the name is blank, or longer than 64 characters
   */
  public JdbcStores withSchema(String schema) {
    Objects.requireNonNull(schema, "schema");
    return new JdbcStores(source, settings.withSchema(schema));
  }

  /**
   * Sets how many connections a client uses at a time, at most. Default 2; on SQLite always 1.
   *
   * @throws IllegalArgumentException if not from 1 to 100
   */
  public JdbcStores withConnections(int connections) {
    return new JdbcStores(source, settings.withConnections(connections));
  }

  /**
   * Does without {@code LISTEN} and {@code NOTIFY} on PostgreSQL: clients that wait ask the
   * database again and again, as they do on the other databases.
   */
  public JdbcStores withoutPush() {
    return new JdbcStores(source, settings.withPush(false));
  }

  /**
   * Says that a replica that takes over from the server lacks nothing that was committed, because
   * commits wait for it. After a change of the server only leases are then waited for, and what is
   * free can be had at once.
   */
  public JdbcStores withSynchronousReplication() {
    return new JdbcStores(source, settings.withSynchronousReplication(true));
  }

  /**
   * Accepts a SQLite file on a network file system, where locks on files do not reach other
   * machines: only for files that one machine alone uses. Default to refuse it.
   */
  public JdbcStores withNetworkFiles() {
    return new JdbcStores(source, settings.withNetwork(true));
  }

  @Override
  public Store open(StoreContext context) {
    return new SqlOpener(settings, context, describe(), source::getConnection, false, text -> text)
        .borrowed(source);
  }

  @Override
  public String describe() {
    return "the data source";
  }
}
