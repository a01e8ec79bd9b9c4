package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.PgBouncerServer;
import io.lockkeeper.servers.SqlServer;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One database server that keeps its data, perhaps with a pooler before it. */
final class SqlControl implements Control {

  private final SqlServer server;
  private final SqlSettings settings;
  private final @Nullable PgBouncerServer pooler;

  /**
   * Creates one.
   *
   * @param adminUrl where an administrator connects
   */
  SqlControl(SqlServer server, String adminUrl, @Nullable PgBouncerServer pooler) {
    this.server = server;
    this.settings = new SqlSettings(() -> adminUrl);
    this.pooler = pooler;
  }

  @Override
  public void kill(Random random) {
    server.kill();
  }

  @Override
  public void restart() {
    server.restart();
  }

  @Override
  public void freeze(Random random) {
    server.freeze();
  }

  @Override
  public void thaw() {
    server.thawIfFrozen();
  }

  @Override
  public void makeReadOnly(boolean wish) {
    settings.makeReadOnly(wish);
  }

  @Override
  public void leadElsewhere(Random random) {
    settings.leadElsewhere(random);
  }

  @Override
  public void leadBack() {
    settings.leadBack();
  }

  @Override
  public PgBouncerServer pooler() {
    return pooler == null ? Control.super.pooler() : pooler;
  }
}
