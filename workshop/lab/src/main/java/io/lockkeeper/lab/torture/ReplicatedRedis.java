package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisSentinelGroup;
import io.lockkeeper.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Redis masters, each with replicas of which one takes over when it dies. */
final class ReplicatedRedis {

  /** How masters and replicas are found, and exchanged. */
  interface Topology {

    /** Returns all servers in the order in which their clocks were made. */
    List<RedisServer> servers();

    RedisServer pickMaster(Random random);

    List<RedisServer> replicasOf(RedisServer master);

    /** Has another one take over from this master, which is alive. */
    void switchFrom(RedisServer master);

    /** Waits until another one has taken over from this master. */
    void awaitSuccessor(RedisServer master);

    /** Returns the one that has taken over from this master, which follows it now. */
    RedisServer successorOf(RedisServer master);

    /** Called when a replica's clock has been set. */
    default void shifted(RedisServer replica) {}

    /** Waits until there is nothing more to be put right. */
    void awaitWhole();
  }

  private final Topology topology;
  private final Clocks clocks;
  private @Nullable RedisServer killed;
  private boolean wasMaster;
  private @Nullable RedisServer frozen;
  private @Nullable RedisServer outrun;
  private List<RedisServer> heldBack = List.of();

  ReplicatedRedis(Topology topology, Clocks clocks) {
    this.topology = topology;
    this.clocks = clocks;
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
        .can(Fault.KILL_SERVER, (Random it) -> kill(topology.pickMaster(it), true), this::restart)
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
    List<RedisServer> replicas = topology.replicasOf(topology.pickMaster(random));
    kill(replicas.get(random.nextInt(replicas.size())), false);
  }

  /** A master that came back before it was replaced would come back empty, as the master. */
  private void restart() {
    RedisServer server = Objects.requireNonNull(killed);
    if (wasMaster) {
      topology.awaitSuccessor(server);
    }
    server.restart(RedisServer.Data.KEPT);
    killed = null;
    topology.awaitWhole();
    if (wasMaster) {
      bringNear(topology.successorOf(server));
    }
  }

  /** Ends what a clock that is far off does, so that the next fail-over is an ordinary one. */
  private void bringNear(RedisServer master) {
    for (RedisServer replica : topology.replicasOf(master)) {
      if (clocks.bringNear(number(replica), number(master))) {
        topology.shifted(replica);
      }
    }
  }

  private int number(RedisServer server) {
    return topology.servers().indexOf(server);
  }

  private void freeze(Random random) {
    frozen = topology.pickMaster(random);
    frozen.freeze();
  }

  private void thaw() {
    Objects.requireNonNull(frozen).thawIfFrozen();
    topology.awaitWhole();
  }

  private void failOver(Random random) {
    RedisServer master = topology.pickMaster(random);
    topology.switchFrom(master);
    topology.awaitSuccessor(master);
    topology.awaitWhole();
  }

  /** The clocks jump before anybody misses the master: a replica that seems stale is not chosen. */
  private void skewAndKill(List<Duration> skews, Random random) {
    RedisServer master = topology.pickMaster(random);
    for (RedisServer replica : topology.replicasOf(master)) {
      clocks.shift(number(replica), number(master), skews, random);
      topology.shifted(replica);
    }
    kill(master, true);
  }

  private void holdBack(Random random) {
    outrun = topology.pickMaster(random);
    heldBack = topology.replicasOf(outrun);
    heldBack.forEach(RedisServer::freeze);
    outrun.dropReplicas();
  }

  private void promoteHeldBack() {
    kill(Objects.requireNonNull(outrun), true);
    heldBack.forEach(RedisServer::thawIfFrozen);
    restart();
  }

  /** A master, its replicas, and Sentinels, which are left alone. */
  record OfSentinels(RedisSentinelGroup group) implements Topology {

    @Override
    public List<RedisServer> servers() {
      return group.servers();
    }

    @Override
    public RedisServer pickMaster(Random random) {
      return group.master();
    }

    @Override
    public List<RedisServer> replicasOf(RedisServer master) {
      return group.replicas();
    }

    @Override
    public void switchFrom(RedisServer master) {
      group.switchFrom(master);
    }

    @Override
    public void awaitSuccessor(RedisServer master) {
      group.awaitOtherMaster(master);
    }

    @Override
    public RedisServer successorOf(RedisServer master) {
      return group.master();
    }

    @Override
    public void awaitWhole() {
      group.awaitWhole();
    }
  }

  /** A cluster of masters with a replica each; it is one of them that something is done to. */
  record OfCluster(RedisCluster cluster) implements Topology {

    @Override
    public List<RedisServer> servers() {
      return cluster.servers();
    }

    @Override
    public RedisServer pickMaster(Random random) {
      List<RedisServer> masters = cluster.mastersNow();
      return masters.get(random.nextInt(masters.size()));
    }

    @Override
    public List<RedisServer> replicasOf(RedisServer master) {
      return List.of(cluster.partnerOf(master));
    }

    @Override
    public void switchFrom(RedisServer master) {
      cluster.switchTo(cluster.partnerOf(master));
    }

    @Override
    public void awaitSuccessor(RedisServer master) {
      cluster.awaitMaster(cluster.partnerOf(master));
    }

    @Override
    public RedisServer successorOf(RedisServer master) {
      return cluster.partnerOf(master);
    }

    /**
     * Lets it begin anew by that clock. A node of a cluster whose own clock steps back believes
     * itself to be cut off until its clock shows again what it did, and serves nobody.
     */
    @Override
    public void shifted(RedisServer replica) {
      replica.kill();
      replica.restart(RedisServer.Data.KEPT);
      awaitWhole();
    }

    @Override
    public void awaitWhole() {
      cluster.awaitWhole();
    }
  }
}
