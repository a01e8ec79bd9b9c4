package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.ZooKeeperEnsemble;
import io.lockkeeper.servers.ZooKeeperServer;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Three ZooKeeper servers, of which one leads. */
final class EnsembleControl implements Control {

  private static final int WAYS = 4;

  private final ZooKeeperEnsemble ensemble;
  private @Nullable ZooKeeperServer killed;
  private @Nullable ZooKeeperServer frozen;

  EnsembleControl(ZooKeeperEnsemble ensemble) {
    this.ensemble = ensemble;
  }

  @Override
  public void kill(Random random) {
    killed = ensemble.leader();
    killed.kill();
  }

  @Override
  public void killFollower(Random random) {
    killed = follower(random);
    killed.kill();
  }

  private ZooKeeperServer follower(Random random) {
    List<ZooKeeperServer> followers = ensemble.followers();
    return followers.get(random.nextInt(followers.size()));
  }

  @Override
  public void restart() {
    Objects.requireNonNull(killed).restart();
    ensemble.awaitWhole();
  }

  @Override
  public void freeze(Random random) {
    frozen = ensemble.leader();
    frozen.freeze();
  }

  @Override
  public void thaw() {
    Objects.requireNonNull(frozen).thawIfFrozen();
    ensemble.awaitWhole();
  }

  /** Mostly in both directions; else the server hears the others no more, or is not heard. */
  @Override
  public void partition(Random random) {
    ZooKeeperServer victim = random.nextBoolean() ? ensemble.leader() : follower(random);
    switch (random.nextInt(WAYS)) {
      case 0 -> ensemble.mute(victim);
      case 1 -> ensemble.deafen(victim);
      default -> ensemble.isolate(victim);
    }
  }

  @Override
  public void heal() {
    ensemble.heal();
    ensemble.awaitWhole();
  }
}
