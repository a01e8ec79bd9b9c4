package io.lockkeeper.testkit.tck.store;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.HintListener;
import io.lockkeeper.spi.ResourceId;
import java.util.Queue;

/** A listener that writes down what it hears, a line of text each. */
public final class HintLines implements HintListener {

  private final Queue<String> lines;

  /** Creates one that writes into a queue, which other threads may read. */
  public HintLines(Queue<String> lines) {
    this.lines = lines;
  }

  @Override
  public void granted(ResourceId resource, Grant grant) {
    lines.add("granted " + resource + " " + grant.claims());
  }

  @Override
  public void wanted(ResourceId resource) {
    lines.add("wanted " + resource);
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
