package io.lockkeeper.cli.torture;

import io.lockkeeper.servers.ZooKeeperEnsemble;
import io.lockkeeper.servers.ZooKeeperServer;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Three ZooKeeper servers, of which one leads. */
final class EnsembleControl implements Control {

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
    List<ZooKeeperServer> followers = ensemble.followers();
    killed = followers.get(random.nextInt(followers.size()));
    killed.kill();
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
}
