package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.MemberServer;
import io.lockkeeper.servers.ServerEnsemble;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Three servers that are one store, of which one leads. */
class EnsembleControl<S extends MemberServer> implements Control {

  private static final int WAYS = 4;

  private final ServerEnsemble<S> ensemble;
  private @Nullable S killed;
  private @Nullable S frozen;

  EnsembleControl(ServerEnsemble<S> ensemble) {
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

  private S follower(Random random) {
    List<S> followers = ensemble.followers();
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
  public void silence(int number) {
    frozen = ensemble.servers().get(number);
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
    S victim = random.nextBoolean() ? ensemble.leader() : follower(random);
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
