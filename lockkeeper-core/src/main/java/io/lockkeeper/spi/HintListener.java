package io.lockkeeper.spi;

/** Hears what a store pushes. Called on any thread; returns quickly and never blocks. */
public interface HintListener {

  /** Claims of this client were granted. */
  void granted(String resource, Grant grant);

  /** Another client began to wait for a resource that this one holds and passes on locally. */
  void wanted(String resource);

  /**
   * A grant of this client was taken away, or several of the same resource. Of which kind of
   * resource there may be several, a look or a renewal tells which are left.
   */
  void revoked(String resource);

  /** A cell that this client watches was changed by another one; it is not watched any more. */
  void cellChanged(CellId cell);

  /** The connection was interrupted and is back: hints may have been missed. */
  void reconnected();

  /** Returns a listener that does nothing. */
  static HintListener silent() {
    return new HintListener() {
      @Override
      public void granted(String resource, Grant grant) {}

      @Override
      public void wanted(String resource) {}

      @Override
      public void revoked(String resource) {}

      @Override
      public void cellChanged(CellId cell) {}

      @Override
      public void reconnected() {}
    };
  }
}
