package io.lockkeeper.engine.view;

import io.lockkeeper.engine.coordination.ResourceCoordinator;
import io.lockkeeper.engine.coordination.ResourceCoordinators;
import io.lockkeeper.engine.deadlock.DeadlockDetector;
import io.lockkeeper.engine.register.Registers;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.ResourceId;

/** Brings what the store pushes to the coordinator that it concerns. */
final class NotificationRouter implements NotificationListener {

  private final ResourceCoordinators resources;
  private final Registers registers;
  private final DeadlockDetector deadlocks;

  NotificationRouter(
      ResourceCoordinators resources, Registers registers, DeadlockDetector deadlocks) {
    this.resources = resources;
    this.registers = registers;
    this.deadlocks = deadlocks;
  }

  @Override
  public void granted(ResourceId resource, Grant grant) {
    resources.tell(resource, coordinator -> coordinator.pushed(grant));
  }

  @Override
  public void contended(ResourceId resource) {
    resources.tell(resource, ResourceCoordinator::contended);
  }

  @Override
  public void revoked(ResourceId resource) {
    resources.tell(resource, ResourceCoordinator::revoked);
  }

  @Override
  public void cellChanged(CellId cell) {
    resources
        .runtime()
        .guarded(
            cell.name(),
            () -> {
              if (cell.kind() == CellKind.NOTES) {
                deadlocks.boardChanged();
              } else {
                registers.changed(cell);
              }
            });
  }

  /** Records that there is a connection. */
  void connected() {
    resources.runtime().events().publishConnection();
  }

  @Override
  public void reconnected() {
    connected();
    askAgain();
  }

  /** Asks the store about everything. */
  void askAgain() {
    resources.reconnected();
    registers.reconnected();
  }
}
