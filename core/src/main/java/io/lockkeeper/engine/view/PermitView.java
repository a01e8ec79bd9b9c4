package io.lockkeeper.engine.view;

import io.lockkeeper.PermitLease;
import io.lockkeeper.engine.coordination.ResourceCoordinator;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.state.Hold;

/** Shows users the lease of some permits. */
final class PermitView extends LeaseView implements PermitLease {

  PermitView(ClientRuntime runtime, ResourceCoordinator coordinator, Hold hold) {
    super(runtime, coordinator, hold, false);
  }

  @Override
  public int permits() {
    return hold.permits();
  }

  @Override
  public String id() {
    return new PermitId(runtime.clientId(), hold.grant().number()).toString();
  }

  @Override
  public void release(int permits) {
    if (!coordinator.giveBack(hold, permits)) {
      throw over();
    }
  }
}
