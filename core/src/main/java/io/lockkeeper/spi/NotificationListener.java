package io.lockkeeper.spi;

/**
 * Receives the notifications of a store. Called on any thread; returns quickly and never blocks.
 */
public interface NotificationListener {

  /** Called when claims of this client were granted. */
  void granted(ResourceId resource, Grant grant);

  /**
   * Called when another client began to wait for a resource that this client holds and hands off
   * locally, or was found waiting after a grant without {@link Grant#othersWait}.
   */
  void contended(ResourceId resource);

  /**
   * Called when one or several grants of this client on a resource were revoked. If a client can
   * have several grants of that kind of resource, a poll or a renewal shows which are left.
   */
  void revoked(ResourceId resource);

  /**
   * Called when another client changed a cell that this client watches. The cell is then no longer
   * watched.
   */
  void cellChanged(CellId cell);

  /** Called when the connection was interrupted and is back: notifications may have been missed. */
  void reconnected();

  /** Returns a listener that does nothing. */
  static NotificationListener silent() {
    return new NotificationListener() {
      @Override
      public void granted(ResourceId resource, Grant grant) {}

      @Override
      public void contended(ResourceId resource) {}

      @Override
      public void revoked(ResourceId resource) {}

      @Override
      public void cellChanged(CellId cell) {}

      @Override
      public void reconnected() {}
    };
  }
}
