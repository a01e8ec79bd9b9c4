package io.lockkeeper.engine.view;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.engine.coordination.Parking;
import io.lockkeeper.engine.coordination.ResourceCoordinator;
import io.lockkeeper.engine.coordination.ResourceCoordinators;
import io.lockkeeper.engine.deadlock.DeadlockDetector;
import io.lockkeeper.engine.policy.ClientConfig;
import io.lockkeeper.engine.policy.Connecting;
import io.lockkeeper.engine.register.Registers;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreFactory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Puts one client together: its runtime, its coordinators, its registers and its deadlock detector;
 * has them do what is due, and closes them in order.
 */
final class ClientCore {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private final ClientRuntime runtime;
  private final ResourceCoordinators resources;
  private final Registers registers;
  private final DeadlockDetector deadlocks;
  private final Parking parking;
  private final AdminView admin;
  private final ClientHost host;
  private final NotificationRouter notifications;
  private final AtomicBoolean closing = new AtomicBoolean();

  private ClientCore(ClientInfo self, ClientConfig config, Environment environment, Store store) {
    this.runtime = new ClientRuntime(self, config, environment, store, this::scan);
    try {
      this.resources = new ResourceCoordinators(runtime);
      this.registers = new Registers(runtime);
      this.deadlocks = new DeadlockDetector(resources, config);
      this.parking = new Parking(runtime, resources.lostHolds(), deadlocks::beforeParking);
      this.admin = new AdminView(resources);
      this.host = new ClientHost(runtime, admin);
      this.notifications = new NotificationRouter(resources, registers, deadlocks);
    } catch (Throwable failure) {
      runtime.stop();
      throw failure;
    }
  }

  /** Opens a client. */
  static ClientCore open(ClientConfig config, Environment environment, StoreFactory factory) {
    ClientInfo self = ClientRuntime.self(config, environment);
    Store store = ClientRuntime.open(self, config, environment, factory);
    ClientCore core = null;
    try {
      core = new ClientCore(self, config, environment, store);
      core.runtime.log().started(core.runtime.place());
      store.listen(core.notifications);
      if (config.connecting() == Connecting.AT_ONCE) {
        core.notifications.connected();
      }
      return core;
    } catch (Throwable failure) { // a process that is out of threads, for one
      if (core == null) {
        store.close();
      } else {
        core.close();
      }
      throw failure;
    }
  }

  ClientRuntime runtime() {
    return runtime;
  }

  ResourceCoordinators resources() {
    return resources;
  }

  Registers registers() {
    return registers;
  }

  Parking parking() {
    return parking;
  }

  AdminView admin() {
    return admin;
  }

  ClientHost host() {
    return host;
  }

  /** Does what is due; returns when something is due next. */
  private long scan() {
    heedDoubts();
    return Math.min(resources.scan(), registers.scan());
  }

  /** Asks the store about everything if the clock may have missed some time. */
  private void heedDoubts() {
    if (runtime.heedDoubts()) {
      LOG.log(
          Level.INFO,
          "the clock may have missed some time: {0} is asked",
          runtime.store().describe());
      notifications.askAgain();
    }
  }

  void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    runtime.beginToClose();
    runtime.guarded("closing", deadlocks::close);
    List<ResourceCoordinator> all = resources.close();
    runtime.guarded("closing", registers::close);
    runtime.guarded("closing", resources::awaitDrained);
    all.forEach(each -> runtime.guarded(each.name(), each::abandonConfirmations));
    runtime.guarded("closing", host::close);
    runtime.close();
  }
}
