package io.lockkeeper.dynamodb;

import io.lockkeeper.servers.DynamoDbServer;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.TckStore;
import io.lockkeeper.testkit.tck.store.RecordResidue;
import java.net.URI;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** A table of its own for one test. */
final class DynamoDbTckStore implements TckStore {

  private final String table = "tck-" + UUID.randomUUID();
  private final DynamoDbServer server;
  private final StoreFactory factory;

  DynamoDbTckStore(DynamoDbServer server) {
    this.server = server;
    server.createTable(table);
    this.factory = DynamoDbStores.of(DynamoDbUrl.parse(url()));
  }

  @Override
  public StoreFactory factory() {
    return factory;
  }

  @Override
  public String url() {
    return server.url(table) + "&timeout=10s&connectTimeout=20s";
  }

  @Override
  public Optional<String> unreachableUrl() {
    return Optional.of(
        "dynamodb://local/lockkeeper?endpoint=" + unreachableAddress() + "&connectTimeout=2s");
  }

  @Override
  public URI unreachableAddress() {
    return URI.create("http://127.0.0.1:1");
  }

  /** Versions are those of one item. */
  @Override
  public boolean comparesArrivals() {
    return false;
  }

  @Override
  public boolean pushes() {
    return false;
  }

  @Override
  public boolean loseEverything() {
    RawTable items = new RawTable(server, table);
    awaitNextSecond();
    items.items().stream()
        .map(RawTable::key)
        .filter(key -> !key.contains("/m/"))
        .forEach(items::delete);
    return true;
  }

  /**
   * Waits until versions begin anew: they begin at the time of the answers, in seconds, and no
   * table is lost or restored in the second in which its records were made.
   */
  static void awaitNextSecond() {
    long second = System.currentTimeMillis() / 1_000;
    while (System.currentTimeMillis() / 1_000 == second) {
      LockSupport.parkNanos(10_000_000);
    }
  }

  @Override
  public String residue(String namespace) {
    return RecordResidue.of(factory, namespace, new RawTable(server, table).keys());
  }

  /** An item has 400 KB, and the value in it is text. */
  @Override
  public int largestValue() {
    return 256 * 1024;
  }

  @Override
  public void close() {
    server.deleteTable(table);
  }
}
