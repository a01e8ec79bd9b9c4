package io.lockkeeper.zookeeper;

import io.lockkeeper.testkit.sim.SimHost;

/** The sessions of a simulated client: when one is over, the next begins. */
final class SimSessions implements Sessions {

  private final SimEnsemble ensemble;
  private final SimHost host;
  private SimSession current;
  private Listener listener = new Nobody();
  private boolean isClosed;

  SimSessions(SimEnsemble ensemble, SimHost host) {
    this.ensemble = ensemble;
    this.host = host;
    this.current = new SimSession(ensemble, this, host);
  }

  void begin(Listener hears) {
    listener = hears;
    listener.begins();
    current.connect();
  }

  @Override
  public Session current() {
    return current;
  }

  SimSession session() {
    return current;
  }

  void connected() {
    listener.connected();
  }

  void lost() {
    if (isClosed) {
      return;
    }
    listener.lost();
    SimSession next = new SimSession(ensemble, this, host);
    host.inProcess(
        host.random().nextLong(5_000_000),
        () -> {
          if (!isClosed) {
            listener.begins();
            current = next;
            next.connect();
          }
        });
  }

  @Override
  public void close() {
    isClosed = true;
    current.close();
  }

  private static final class Nobody implements Listener {

    @Override
    public void begins() {}

    @Override
    public void connected() {}

    @Override
    public void lost() {}
  }
}
