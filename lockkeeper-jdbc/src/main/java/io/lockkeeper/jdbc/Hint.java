package io.lockkeeper.jdbc;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.HintListener;
import io.lockkeeper.spi.ResourceId;

/** Something that a client should hear, as {@link io.lockkeeper.spi.HintListener} says it. */
sealed interface Hint {

  /** Returns whom it is for. */
  String client();

  /** Tells it. */
  void tell(HintListener listener);

  /** A claim was granted. */
  record Granted(String client, ResourceId resource, Grant grant) implements Hint {
    @Override
    public void tell(HintListener listener) {
      listener.granted(resource, grant);
    }
  }

  /** Another client waits for what this one passes on. */
  record Wanted(String client, ResourceId resource) implements Hint {
    @Override
    public void tell(HintListener listener) {
      listener.wanted(resource);
    }
  }

  /** A grant was taken away. */
  record Revoked(String client, ResourceId resource) implements Hint {
    @Override
    public void tell(HintListener listener) {
      listener.revoked(resource);
    }
  }

  /** A cell that the client watches was changed. */
  record Changed(String client, CellId cell) implements Hint {
    @Override
    public void tell(HintListener listener) {
      listener.cellChanged(cell);
    }
  }
}
