package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.EtcdEnsemble;
import io.lockkeeper.servers.EtcdServer;

/** Three etcd servers: they have a history, and leases of their own. */
final class EtcdControl extends EnsembleControl<EtcdServer> {

  private final EtcdEnsemble ensemble;

  EtcdControl(EtcdEnsemble ensemble) {
    super(ensemble);
    this.ensemble = ensemble;
  }

  @Override
  public void compact() {
    ensemble.leader().compact();
  }

  @Override
  public void revokeLeases() {
    ensemble.leader().revokeLeases();
  }
}
