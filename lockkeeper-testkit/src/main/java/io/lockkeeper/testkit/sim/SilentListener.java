package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.HintListener;

/** Hears hints and does nothing. */
final class SilentListener implements HintListener {

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
}
