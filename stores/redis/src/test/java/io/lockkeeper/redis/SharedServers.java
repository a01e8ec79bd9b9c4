package io.lockkeeper.redis;

import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One healthy server per version for all tests of this process, which ends them. */
final class SharedServers {

  private static final Map<RedisBinary, RedisServer> SERVERS = new ConcurrentHashMap<>();

  private SharedServers() {}

  static RedisServer running(RedisBinary binary) {
    return SERVERS.computeIfAbsent(binary, b -> RedisServer.builder().binary(b).start());
  }
}
