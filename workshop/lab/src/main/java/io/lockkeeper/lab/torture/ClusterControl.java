package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisServer;
import java.util.List;
import java.util.Random;

/** A cluster of masters with a replica each; it is one of them that something is done to. */
final class ClusterControl extends ReplicatedRedis {

  private final RedisCluster cluster;

  ClusterControl(RedisCluster cluster, Clocks clocks) {
    super(clocks);
    this.cluster = cluster;
  }

  @Override
  List<RedisServer> servers() {
    return cluster.servers();
  }

  @Override
  RedisServer pickMaster(Random random) {
    List<RedisServer> masters = cluster.mastersNow();
    return masters.get(random.nextInt(masters.size()));
  }

  @Override
  List<RedisServer> replicasOf(RedisServer master) {
    return List.of(cluster.partnerOf(master));
  }

  @Override
  void switchFrom(RedisServer master) {
    cluster.switchTo(cluster.partnerOf(master));
  }

  @Override
  void awaitSuccessor(RedisServer master) {
    cluster.awaitMaster(cluster.partnerOf(master));
  }

  @Override
  RedisServer successorOf(RedisServer master) {
    return cluster.partnerOf(master);
  }

  /**
   * Lets it begin anew by that clock. A node of a cluster whose own clock steps back believes
   * itself to be cut off until its clock shows again what it did, and serves nobody.
   */
  @Override
  void shifted(RedisServer replica) {
    replica.kill();
    replica.restart(RedisServer.Data.KEPT);
    awaitWhole();
  }

  @Override
  void awaitWhole() {
    cluster.awaitWhole();
  }
}
