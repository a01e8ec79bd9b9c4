package io.lockkeeper.engine;

import io.lockkeeper.PermitLease;

/** What users know as the lease of some permits. */
final class PermitView extends LeaseView implements PermitLease {

  PermitView(Engine engine, Gate gate, Hold hold) {
    super(engine, gate, hold, false);
  }

  @Override
  public int permits() {
    return hold.permits;
  }

  @Override
  public String id() {
    return new PermitId(engine.clientId(), hold.tenure.grant).toString();
  }

  @Override
  public void release(int permits) {
    if (!gate.giveBack(hold, permits)) {
      throw over();
    }
  }
}
