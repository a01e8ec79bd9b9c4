package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.MemberServer;
import io.lockkeeper.servers.ServerEnsemble;
import io.lockkeeper.servers.net.PrivateNetwork;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Three servers that are one store, of which one leads. */
final class Members<S extends MemberServer> {

  private static final int WAYS = 4;

  private final ServerEnsemble<S> ensemble;
  private @Nullable S killed;
  private @Nullable S frozen;

  Members(ServerEnsemble<S> ensemble) {
    this.ensemble = ensemble;
  }

  /** Adds what can be done to them; links are cut where this machine allows it. */
  StoreUnderTest to(StoreUnderTest store) {
    if (PrivateNetwork.obstacle().isEmpty()) {
      store.can(Fault.PARTITION, this::partition, this::heal);
    }
    return store
        .can(Fault.KILL_SERVER, () -> kill(ensemble.leader()), this::restart)
        .can(Fault.KILL_FOLLOWER, (Random random) -> kill(follower(random)), this::restart)
        .can(Fault.FREEZE_SERVER, () -> freeze(ensemble.leader()), this::thaw)
        .can(
            Fault.SILENT_SERVER,
            (random, network) -> freeze(ensemble.servers().get(network.server())),
            this::thaw);
  }

  private S follower(Random random) {
    List<S> followers = ensemble.followers();
    return followers.get(random.nextInt(followers.size()));
  }

  private void kill(S server) {
    killed = server;
    server.kill();
  }

  private void restart() {
    Objects.requireNonNull(killed).restart();
    ensemble.awaitWhole();
  }

  private void freeze(S server) {
    frozen = server;
    server.freeze();
  }

  private void thaw() {
    Objects.requireNonNull(frozen).thawIfFrozen();
    ensemble.awaitWhole();
  }

  /** Mostly in both directions; else the server hears the others no more, or is not heard. */
  private void partition(Random random) {
    S victim = random.nextBoolean() ? ensemble.leader() : follower(random);
    switch (random.nextInt(WAYS)) {
      case 0 -> ensemble.mute(victim);
      case 1 -> ensemble.deafen(victim);
      default -> ensemble.isolate(victim);
    }
  }

  private void heal() {
    ensemble.heal();
    ensemble.awaitWhole();
  }
}
