package io.lockkeeper.bench.locks;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** A node that ends with its session: created to take a lock, deleted to give it back. */
final class ZooKeeperFloor extends Floor {

  private static final int SESSION_MILLIS = (int) LEASE_SECONDS * 1_000;
  private static final String PARENT = "/floor";

  private final ZooKeeper zooKeeper;

  ZooKeeperFloor(String url) {
    try {
      zooKeeper = new ZooKeeper(URI.create(url).getAuthority(), SESSION_MILLIS, event -> {});
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    create(PARENT, "", CreateMode.PERSISTENT);
  }

  @Override
  long take(String name, String owner) {
    return create(PARENT + "/" + name, owner, CreateMode.EPHEMERAL);
  }

  /** Returns the number of the transaction, or 0 if the node is there. */
  private long create(String path, String data, CreateMode mode) {
    Stat stat = new Stat();
    byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
    ContestedLock.run(
        () -> {
          try {
            zooKeeper.create(path, bytes, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode, stat);
          } catch (KeeperException.NodeExistsException held) {
            stat.setCzxid(0);
          }
        });
    return stat.getCzxid();
  }

  @Override
  void giveBack(String name, String owner) {
    zooKeeper.delete(PARENT + "/" + name, 0, (code, path, context) -> {}, null);
  }

  @Override
  public void close() {
    ContestedLock.run(zooKeeper::close);
  }
}
