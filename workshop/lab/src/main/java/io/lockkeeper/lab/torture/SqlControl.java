package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.PgBouncerServer;
import io.lockkeeper.servers.SqlServer;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One database server that keeps its data, perhaps with a pooler before it. */
final class SqlControl extends DatabaseControl {

  private final SqlServer server;
  private final @Nullable PgBouncerServer pooler;

  /**
   * Creates one.
   *
   * @param adminUrl where an administrator connects
   */
  SqlControl(SqlServer server, String adminUrl, @Nullable PgBouncerServer pooler) {
    super(() -> adminUrl);
    this.server = server;
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
  public PgBouncerServer pooler() {
    return pooler == null ? super.pooler() : pooler;
  }
}
