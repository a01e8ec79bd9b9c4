package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.RedisServer;
import java.util.Random;

/** One Redis server, which may also come back empty. */
record SingleRedis(RedisServer server) implements Control {

  @Override
  public void kill(Random random) {
    server.kill();
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
  public void restart() {
    server.restart(RedisServer.Data.KEPT);
  }

  @Override
  public void restartEmpty() {
    server.restart(RedisServer.Data.LOST);
  }
}
