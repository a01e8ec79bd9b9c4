package io.lockkeeper.servers;

import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** The main program of a ZooKeeper server in a JVM of its own. */
final class ZooKeeperProcess {

  private static final int FAILED = 1;

  private ZooKeeperProcess() {}

  /**
   * Runs a server until it is killed, or until the process that started it ends.
   *
   * @param args the configuration file
   */
  public static void main(String[] args) {
    Thread watch = new Thread(ZooKeeperProcess::endWithParent, "end of parent");
    watch.setDaemon(true);
    watch.start();
    try {
      new Peer().run(args);
    } catch (Exception e) {
      // Its logging may be off; this is what the one who started it sees.
      e.printStackTrace(System.err);
    }
    Runtime.getRuntime().halt(FAILED);
  }

  private static void endWithParent() {
    ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().join());
    Runtime.getRuntime().halt(FAILED);
  }

  /** ZooKeeper's own main program, without its catching of all exceptions. */
  private static final class Peer extends QuorumPeerMain {
    void run(String[] args) throws Exception {
      initializeAndRun(args);
    }
  }
}
