package io.lockkeeper.spi.support;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.ResourceId;
import java.util.function.Consumer;

/** A listener that passes each notification on, in one way for all of them. */
public abstract class ForwardingListener implements NotificationListener {

  /** Creates it. */
  protected ForwardingListener() {}

  /**
   * Passes a notification on.
   *
   * @param notification calls a listener's method
   */
  protected abstract void forward(Consumer<NotificationListener> notification);

  @Override
  public void granted(ResourceId resource, Grant grant) {
    forward(listener -> listener.granted(resource, grant));
  }

  @Override
  public void contended(ResourceId resource) {
    forward(listener -> listener.contended(resource));
  }

  @Override
  public void revoked(ResourceId resource) {
    forward(listener -> listener.revoked(resource));
  }

  @Override
  public void cellChanged(CellId cell) {
    forward(listener -> listener.cellChanged(cell));
  }

  @Override
  public void reconnected() {
    forward(NotificationListener::reconnected);
  }
}
