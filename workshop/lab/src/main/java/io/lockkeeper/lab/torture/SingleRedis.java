package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.RedisServer;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** One Redis server, which may also come back empty. */
final class SingleRedis extends Control.OfOne {

  private static final long FIRST_LIMIT_NANOS = 20_000_000_000L;
  private static final long FIRST_LOOK_NANOS = 5_000_000;

  private final RedisServer server;

  SingleRedis(RedisServer server) {
    super(server, () -> server.restart(RedisServer.Data.KEPT));
    this.server = server;
  }

  @Override
  public void awaitFirstClient() {
    long deadline = System.nanoTime() + FIRST_LIMIT_NANOS;
    while (isWithoutMark() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(FIRST_LOOK_NANOS);
    }
  }

  private boolean isWithoutMark() {
    return server.command("KEYS", "*:mark") instanceof List<?> marks && marks.isEmpty();
  }

  @Override
  public void restartEmpty() {
    server.restart(RedisServer.Data.LOST);
  }
}
