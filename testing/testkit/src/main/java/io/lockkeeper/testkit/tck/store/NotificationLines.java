package io.lockkeeper.testkit.tck.store;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.ResourceId;
import java.util.Queue;

/** A listener that writes down what it hears, a line of text each. */
public final class NotificationLines implements NotificationListener {

  private final Queue<String> lines;

  /** Creates one that writes into a queue, which other threads may read. */
  public NotificationLines(Queue<String> lines) {
    this.lines = lines;
  }

  @Override
  public void granted(ResourceId resource, Grant grant) {
    lines.add("granted " + resource + " " + grant.claims());
  }

  @Override
  public void contended(ResourceId resource) {
    lines.add("contended " + resource);
  }

  @Override
  public void revoked(ResourceId resource) {
    lines.add("revoked " + resource);
  }

  @Override
  public void cellChanged(CellId cell) {
    lines.add("changed " + cell.kind() + " " + cell.name());
  }

  @Override
  public void reconnected() {
    lines.add("reconnected");
  }
}
