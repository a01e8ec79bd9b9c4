package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.MemberServer;
import io.lockkeeper.servers.PgBouncerServer;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** What can be done to the servers of a store. Of several it is the one that leads. */
interface Control {

  /** Kills it. */
  void kill(Random random);

  /** Starts again what was killed, with what it had confirmed, and waits until all is whole. */
  void restart();

  /** Stops it without ending it. */
  void freeze(Random random);

  /** Lets what is frozen go on, and waits until all is whole. */
  void thaw();

  /**
   * Starts it again with nothing.
   *
   * @throws UnsupportedOperationException if this kind of server never comes back so
   */
  default void restartEmpty() {
    throw new UnsupportedOperationException();
  }

  /**
   * Waits for a while until a client has reached it, once it is empty.
   *
   * @throws UnsupportedOperationException if this kind of server never comes back so
   */
  default void awaitFirstClient() {
    throw new UnsupportedOperationException();
  }

  /**
   * Kills one of those that follow; {@link #restart} starts it again.
   *
   * @throws UnsupportedOperationException if there are none
   */
  default void killFollower(Random random) {
    throw new UnsupportedOperationException();
  }

  /**
   * Cuts the links of one of several servers to the others.
   *
   * @throws UnsupportedOperationException if they cannot be cut
   */
  default void partition(Random random) {
    throw new UnsupportedOperationException();
  }

  /** Puts the links in order again, and waits until all is whole. */
  default void heal() {
    throw new UnsupportedOperationException();
  }

  /**
   * Stops one of several servers, whichever part it has; {@link #thaw} lets it go on.
   *
   * @param number which, in the order of the store's addresses
   * @throws UnsupportedOperationException if there are not several of which any may stop
   */
  default void silence(int number) {
    throw new UnsupportedOperationException();
  }

  /**
   * Asks one of those that follow to take over.
   *
   * @throws UnsupportedOperationException if they cannot be asked
   */
  default void failOver(Random random) {
    throw new UnsupportedOperationException();
  }

  /**
   * Sets the clocks of those that follow one master, ahead or behind, and kills it; {@link
   * #restart} starts it again.
   *
   * @param skews how far they may be from right
   * @throws UnsupportedOperationException if there are none that can
   */
  default void skewAndKill(List<Duration> skews, Random random) {
    throw new UnsupportedOperationException();
  }

  /**
   * Stops those that follow one master, so that they fall behind.
   *
   * @throws UnsupportedOperationException if there are none that can
   */
  default void holdBack(Random random) {
    throw new UnsupportedOperationException();
  }

  /** Kills the master of those that were held back, lets them go on, and one of them take over. */
  default void promoteHeldBack() {
    throw new UnsupportedOperationException();
  }

  /**
   * Has the servers forget what was before now, so that who watches them and is behind must read
   * anew.
   *
   * @throws UnsupportedOperationException if they keep no history
   */
  default void compact() {
    throw new UnsupportedOperationException();
  }

  /**
   * Ends all leases that the servers themselves keep for clients.
   *
   * @throws UnsupportedOperationException if they keep none
   */
  default void revokeLeases() {
    throw new UnsupportedOperationException();
  }

  /**
   * Has a server take no changes, or take them again.
   *
   * @throws UnsupportedOperationException if it cannot be told so
   */
  default void makeReadOnly(boolean wish) {
    throw new UnsupportedOperationException();
  }

  /**
   * Ends all connections, and leads new ones to another schema.
   *
   * @throws UnsupportedOperationException if there are no schemas
   */
  default void leadElsewhere(Random random) {
    throw new UnsupportedOperationException();
  }

  /** Ends all connections, and leads new ones to the schema of before. */
  default void leadBack() {
    throw new UnsupportedOperationException();
  }

  /**
   * Returns the pooler before the server.
   *
   * @throws UnsupportedOperationException if there is none
   */
  default PgBouncerServer pooler() {
    throw new UnsupportedOperationException();
  }

  /** One server that keeps its data. */
  record OfOne(MemberServer server) implements Control {

    @Override
    public void kill(Random random) {
      server.kill();
    }

    @Override
    public void freeze(Random random) {
      server.freeze();
    }

    @Override
    public void thaw() {
      server.thawIfFrozen();
    }

    @Override
    public void restart() {
      server.restart();
    }
  }
}
