package io.lockkeeper.servers;

import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
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
      run(args[0]);
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

  /** Does what ZooKeeper's own main programs do, but for their silence about all exceptions. */
  private static void run(String file) throws Exception {
    QuorumPeerConfig config = new QuorumPeerConfig();
    config.parse(file);
    if (config.isDistributed()) {
      new QuorumPeerMain().runFromConfig(config);
    } else {
      ServerConfig alone = new ServerConfig();
      alone.readFrom(config);
      new ZooKeeperServerMain().runFromConfig(alone);
    }
  }
}
