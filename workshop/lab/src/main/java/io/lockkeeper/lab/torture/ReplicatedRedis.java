package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Redis masters, each with replicas of which one takes over when it dies. */
abstract class ReplicatedRedis implements Control {

  private final Clocks clocks;
  private @Nullable RedisServer killed;
  private boolean wasMaster;
  private @Nullable RedisServer frozen;
  private @Nullable RedisServer outrun;
  private List<RedisServer> heldBack = List.of();

  ReplicatedRedis(Clocks clocks) {
    this.clocks = clocks;
  }

  /** Returns all servers in the order in which their clocks were made. */
  abstract List<RedisServer> servers();

  abstract RedisServer pickMaster(Random random);

  abstract List<RedisServer> replicasOf(RedisServer master);

  /** Has another one take over from this master, which is alive. */
  abstract void switchFrom(RedisServer master);

  /** Waits until another one has taken over from this master. */
  abstract void awaitSuccessor(RedisServer master);

  /** Returns the one that has taken over from this master, which follows it now. */
  abstract RedisServer successorOf(RedisServer master);

  /** Called when a replica's clock has been set. */
  void shifted(RedisServer replica) {}

  /** Waits until there is nothing more to be put right. */
  abstract void awaitWhole();

  @Override
  public void kill(Random random) {
    RedisServer master = pickMaster(random);
    master.kill();
    killed = master;
    wasMaster = true;
  }

  @Override
  public void killFollower(Random random) {
    List<RedisServer> replicas = replicasOf(pickMaster(random));
    RedisServer replica = replicas.get(random.nextInt(replicas.size()));
    replica.kill();
    killed = replica;
    wasMaster = false;
  }

  /** A master that came back before it was replaced would come back empty, as the master. */
  @Override
  public void restart() {
    RedisServer server = Objects.requireNonNull(killed);
    if (wasMaster) {
      awaitSuccessor(server);
    }
    server.restart(RedisServer.Data.KEPT);
    killed = null;
    awaitWhole();
    if (wasMaster) {
      bringNear(successorOf(server));
    }
  }

  /** Ends what a clock that is far off does, so that the next fail-over is an ordinary one. */
  private void bringNear(RedisServer master) {
    for (RedisServer replica : replicasOf(master)) {
      if (clocks.bringNear(number(replica), number(master))) {
        shifted(replica);
      }
    }
  }

  private int number(RedisServer server) {
    return servers().indexOf(server);
  }

  @Override
  public void freeze(Random random) {
    RedisServer master = pickMaster(random);
    master.freeze();
    frozen = master;
  }

  @Override
  public void thaw() {
    Objects.requireNonNull(frozen).thawIfFrozen();
    frozen = null;
    awaitWhole();
  }

  @Override
  public void failOver(Random random) {
    RedisServer master = pickMaster(random);
    switchFrom(master);
    awaitSuccessor(master);
    awaitWhole();
  }

  /** The clocks jump before anybody misses the master: a replica that seems stale is not chosen. */
  @Override
  public void skewAndKill(List<Duration> skews, Random random) {
    RedisServer master = pickMaster(random);
    for (RedisServer replica : replicasOf(master)) {
      clocks.shift(number(replica), number(master), skews, random);
      shifted(replica);
    }
    master.kill();
    killed = master;
    wasMaster = true;
  }

  @Override
  public void holdBack(Random random) {
    RedisServer master = pickMaster(random);
    heldBack = replicasOf(master);
    heldBack.forEach(RedisServer::freeze);
    master.dropReplicas();
    outrun = master;
  }

  @Override
  public void promoteHeldBack() {
    killed = Objects.requireNonNull(outrun);
    killed.kill();
    wasMaster = true;
    heldBack.forEach(RedisServer::thawIfFrozen);
    heldBack = List.of();
    outrun = null;
    restart();
  }
}
