package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.PostgresPair;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A PostgreSQL server and its standby, which takes over when the other one has died; that one is
 * then made a standby, so that the next can die.
 */
final class StandbyControl implements Control {

  private final PostgresPair pair;
  private final Clocks clocks;
  private boolean isPrimaryDead;

  StandbyControl(PostgresPair pair, Clocks clocks) {
    this.pair = pair;
    this.clocks = clocks;
  }

  @Override
  public void kill(Random random) {
    pair.primary().kill();
    isPrimaryDead = true;
  }

  @Override
  public void killFollower(Random random) {
    pair.standby().kill();
    isPrimaryDead = false;
  }

  @Override
  public void restart() {
    if (isPrimaryDead) {
      pair.promote();
      pair.takeBack();
    } else {
      pair.standby().restart();
      pair.awaitFollowing();
    }
  }

  @Override
  public void freeze(Random random) {
    pair.primary().freeze();
  }

  @Override
  public void thaw() {
    pair.primary().thawIfFrozen();
    pair.awaitFollowing();
  }

  @Override
  public void failOver(Random random) {
    pair.switchOver();
    pair.takeBack();
  }

  @Override
  public void skewAndKill(List<Duration> skews, Random random) {
    clocks.shift(pair.servers().indexOf(pair.standby()), skews, random);
    kill(random);
  }

  @Override
  public void holdBack(Random random) {
    pair.cutOff();
  }

  @Override
  public void promoteHeldBack() {
    pair.primary().kill();
    pair.promote();
    pair.takeBack();
  }
}
