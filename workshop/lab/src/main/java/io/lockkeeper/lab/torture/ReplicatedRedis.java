package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisSentinelGroup;
import io.lockkeeper.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Redis masters, each with replicas of which one takes over when it dies. */
final class ReplicatedRedis {

  /**
   * How masters and replicas are found, and exchanged.
   *
   * @param servers all servers in the order in which their clocks were made
   * @param pickMaster one of the masters
   * @param replicasOf those of a master
   * @param switchFrom has another one take over from this master, which is alive
   * @param awaitSuccessor waits until another one has taken over from this master
   * @param successorOf the one that has taken over from this master, which follows it now
   * @param shifted runs after a replica's clock has been set
   * @param awaitWhole waits until there is nothing more to be put right
   */
  private record Topology(
      Supplier<List<RedisServer>> servers,
      Function<Random, RedisServer> pickMaster,
      Function<RedisServer, List<RedisServer>> replicasOf,
      Consumer<RedisServer> switchFrom,
      Consumer<RedisServer> awaitSuccessor,
      UnaryOperator<RedisServer> successorOf,
      Consumer<RedisServer> shifted,
      Runnable awaitWhole) {}

  private final Topology topology;
  private final Clocks clocks;
  private @Nullable RedisServer killed;
  private boolean wasMaster;
  private @Nullable RedisServer frozen;
  private @Nullable RedisServer outrun;
  private List<RedisServer> heldBack = List.of();

  private ReplicatedRedis(Topology topology, Clocks clocks) {
    this.topology = topology;
    this.clocks = clocks;
  }

  /** A master, its replicas, and Sentinels, which are left alone. */
  static ReplicatedRedis of(RedisSentinelGroup group, Clocks clocks) {
    return new ReplicatedRedis(
        new Topology(
            group::servers,
            random -> group.master(),
            master -> group.replicas(),
            group::switchFrom,
            group::awaitOtherMaster,
            master -> group.master(),
            replica -> {},
            group::awaitWhole),
        clocks);
  }

  /**
   * A cluster of masters with a replica each; it is one of them that something is done to. A node
   * whose own clock steps back believes itself to be cut off until its clock shows again what it
   * did, and serves nobody: so it begins anew by that clock.
   */
  static ReplicatedRedis of(RedisCluster cluster, Clocks clocks) {
    return new ReplicatedRedis(
        new Topology(
            cluster::servers,
            random -> {
              List<RedisServer> masters = cluster.mastersNow();
              return masters.get(random.nextInt(masters.size()));
            },
            master -> List.of(cluster.partnerOf(master)),
            master -> cluster.switchTo(cluster.partnerOf(master)),
            master -> cluster.awaitMaster(cluster.partnerOf(master)),
            cluster::partnerOf,
            replica -> {
              replica.kill();
              replica.restart(RedisServer.Data.KEPT);
              cluster.awaitWhole();
            },
            cluster::awaitWhole),
        clocks);
  }

  /** Adds what can be done to them. */
  StoreUnderTest to(StoreUnderTest store) {
    if (Clocks.isAvailable()) {
      store
          .can(Fault.SKEWED_FAIL_OVER, (Random it) -> skewAndKill(Clocks.NEAR, it), this::restart)
          .can(
              Fault.FAR_SKEWED_FAIL_OVER,
              (Random random) -> skewAndKill(Clocks.FAR, random),
              this::restart);
    }
    return store
        .can(
            Fault.KILL_SERVER,
            (Random it) -> kill(topology.pickMaster.apply(it), true),
            this::restart)
        .can(Fault.KILL_FOLLOWER, this::killFollower, this::restart)
        .can(Fault.FREEZE_SERVER, this::freeze, this::thaw)
        .can(Fault.FAIL_OVER, this::failOver, () -> {})
        .can(Fault.STALE_FAIL_OVER, this::holdBack, this::promoteHeldBack);
  }

  private void kill(RedisServer server, boolean isMaster) {
    server.kill();
    killed = server;
    wasMaster = isMaster;
  }

  private void killFollower(Random random) {
    List<RedisServer> replicas = topology.replicasOf.apply(topology.pickMaster.apply(random));
    kill(replicas.get(random.nextInt(replicas.size())), false);
  }

  /** A master that came back before it was replaced would come back empty, as the master. */
  private void restart() {
    RedisServer server = Objects.requireNonNull(killed);
    if (wasMaster) {
      topology.awaitSuccessor.accept(server);
    }
    server.restart(RedisServer.Data.KEPT);
    killed = null;
    topology.awaitWhole.run();
    if (wasMaster) {
      bringNear(topology.successorOf.apply(server));
    }
  }

  /** Ends what a clock that is far off does, so that the next fail-over is an ordinary one. */
  private void bringNear(RedisServer master) {
    for (RedisServer replica : topology.replicasOf.apply(master)) {
      if (clocks.bringNear(number(replica), number(master))) {
        topology.shifted.accept(replica);
      }
    }
  }

  private int number(RedisServer server) {
    return topology.servers.get().indexOf(server);
  }

  private void freeze(Random random) {
    frozen = topology.pickMaster.apply(random);
    frozen.freeze();
  }

  private void thaw() {
    Objects.requireNonNull(frozen).thawIfFrozen();
    topology.awaitWhole.run();
  }

  private void failOver(Random random) {
    RedisServer master = topology.pickMaster.apply(random);
    topology.switchFrom.accept(master);
    topology.awaitSuccessor.accept(master);
    topology.awaitWhole.run();
  }

  /** The clocks jump before anybody misses the master: a replica that seems stale is not chosen. */
  private void skewAndKill(List<Duration> skews, Random random) {
    RedisServer master = topology.pickMaster.apply(random);
    for (RedisServer replica : topology.replicasOf.apply(master)) {
      clocks.shift(number(replica), number(master), skews, random);
      topology.shifted.accept(replica);
    }
    kill(master, true);
  }

  private void holdBack(Random random) {
    outrun = topology.pickMaster.apply(random);
    heldBack = topology.replicasOf.apply(outrun);
    heldBack.forEach(RedisServer::freeze);
    outrun.dropReplicas();
  }

  private void promoteHeldBack() {
    kill(Objects.requireNonNull(outrun), true);
    heldBack.forEach(RedisServer::thawIfFrozen);
    restart();
  }
}
