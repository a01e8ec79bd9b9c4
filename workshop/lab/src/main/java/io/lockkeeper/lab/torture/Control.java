package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.ChildServer;
import io.lockkeeper.servers.PgBouncerServer;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * What can be done to the servers of a store. Of several it is the one that leads. What a kind of
 * server cannot do throws {@link UnsupportedOperationException}.
 */
interface Control {

  /** Kills it. */
  void kill(Random random);

  /** Starts again what was killed, with what it had confirmed, and waits until all is whole. */
  void restart();

  /** Stops it without ending it. */
  void freeze(Random random);

  /** Lets what is frozen go on, and waits until all is whole. */
  void thaw();

  /** Starts it again with nothing. */
  default void restartEmpty() {
    throw new UnsupportedOperationException();
  }

  /** Waits for a while until a client has reached it, once it is empty. */
  default void awaitFirstClient() {
    throw new UnsupportedOperationException();
  }

  /** Kills one of those that follow; {@link #restart} starts it again. */
  default void killFollower(Random random) {
    throw new UnsupportedOperationException();
  }

  /** Cuts the links of one of several servers to the others. */
  default void partition(Random random) {
    throw new UnsupportedOperationException();
  }

  /** Puts the links in order again, and waits until all is whole. */
  default void heal() {
    throw new UnsupportedOperationException();
  }

  /**
   * Stops the server of this number, in the order of the store's addresses; {@link #thaw} ends it.
   */
  default void silence(int number) {
    throw new UnsupportedOperationException();
  }

  /** Asks one of those that follow to take over. */
  default void failOver(Random random) {
    throw new UnsupportedOperationException();
  }

  /** Sets the clocks of those that follow one master, and kills it; {@link #restart} starts it. */
  default void skewAndKill(List<Duration> skews, Random random) {
    throw new UnsupportedOperationException();
  }

  /** Stops those that follow one master, so that they fall behind. */
  default void holdBack(Random random) {
    throw new UnsupportedOperationException();
  }

  /** Kills the master of those that were held back, lets them go on, and one of them take over. */
  default void promoteHeldBack() {
    throw new UnsupportedOperationException();
  }

  /** Has the servers forget their history, so that a watch that is behind must read anew. */
  default void compact() {
    throw new UnsupportedOperationException();
  }

  /** Ends all leases that the servers themselves keep for clients. */
  default void revokeLeases() {
    throw new UnsupportedOperationException();
  }

  /** Has a server take no changes, or take them again. */
  default void makeReadOnly(boolean wish) {
    throw new UnsupportedOperationException();
  }

  /** Ends all connections, and leads new ones to another schema. */
  default void leadElsewhere(Random random) {
    throw new UnsupportedOperationException();
  }

  /** Ends all connections, and leads new ones to the schema of before. */
  default void leadBack() {
    throw new UnsupportedOperationException();
  }

  /** Returns the pooler before the server. */
  default PgBouncerServer pooler() {
    throw new UnsupportedOperationException();
  }

  /** One server that keeps its data. */
  class OfOne implements Control {

    private final ChildServer server;
    private final Runnable restart;

    OfOne(ChildServer server, Runnable restart) {
      this.server = server;
      this.restart = restart;
    }

    @Override
    public final void kill(Random random) {
      server.kill();
    }

    @Override
    public final void freeze(Random random) {
      server.freeze();
    }

    @Override
    public final void thaw() {
      server.thawIfFrozen();
    }

    @Override
    public final void restart() {
      restart.run();
    }
  }
}
