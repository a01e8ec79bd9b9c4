package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.RedisSentinelGroup;
import io.lockkeeper.servers.RedisServer;
import java.util.List;
import java.util.Random;

/** A master, its replicas, and Sentinels, which are left alone. */
final class SentinelControl extends ReplicatedRedis {

  private final RedisSentinelGroup group;

  SentinelControl(RedisSentinelGroup group, Clocks clocks) {
    super(clocks);
    this.group = group;
  }

  @Override
  List<RedisServer> servers() {
    return group.servers();
  }

  @Override
  RedisServer pickMaster(Random random) {
    return group.master();
  }

  @Override
  List<RedisServer> replicasOf(RedisServer master) {
    return group.replicas();
  }

  @Override
  void switchFrom(RedisServer master) {
    group.switchFrom(master);
  }

  @Override
  void awaitSuccessor(RedisServer master) {
    group.awaitOtherMaster(master);
  }

  @Override
  RedisServer successorOf(RedisServer master) {
    return group.master();
  }

  @Override
  void awaitWhole() {
    group.awaitWhole();
  }
}
