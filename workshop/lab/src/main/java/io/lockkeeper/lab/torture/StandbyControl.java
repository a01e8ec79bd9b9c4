package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.PostgresPair;
import io.lockkeeper.servers.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A PostgreSQL server and its standby, which takes over when the other one has died; that one is
 * then made a standby, so that the next can die.
 */
final class StandbyControl extends DatabaseControl {

  private final PostgresPair pair;
  private final Clocks clocks;
  private boolean isPrimaryDead;

  StandbyControl(PostgresPair pair, Clocks clocks) {
    super(() -> pair.primary().jdbcUrl());
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
      clocks.bringNear(number(pair.standby()), number(pair.primary()));
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

  private int number(PostgresServer server) {
    return pair.servers().indexOf(server);
  }

  @Override
  public void skewAndKill(List<Duration> skews, Random random) {
    clocks.shift(number(pair.standby()), number(pair.primary()), skews, random);
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
