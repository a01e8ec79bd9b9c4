package io.lockkeeper.lab.torture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** The nodes of ZooKeeper servers. */
record ZooKeeperRemains(String connectString) implements LeftoverCheck {

  private static final String ROOT = "/lockkeeper/";
  private static final int SESSION_MILLIS = 4_000;
  private static final long CONNECT_SECONDS = 10;

  /** Claims, and what keeps a limit. Folders go by themselves. */
  private static final Pattern STAYS = Pattern.compile("[qg]\\..*|keep.*");

  /** The node of a cell that is there; one that is not may still remember updates. */
  private static final String CELL = "lockkeeper-cell1 +";

  @Override
  public List<String> of(String namespace) {
    List<String> left = new ArrayList<>();
    CountDownLatch connected = new CountDownLatch(1);
    try {
      ZooKeeper client =
          new ZooKeeper(
              connectString,
              SESSION_MILLIS,
              event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                  connected.countDown();
                }
              });
      try {
        if (!connected.await(CONNECT_SECONDS, TimeUnit.SECONDS)) {
          throw new IllegalStateException("no connection to ZooKeeper");
        }
        collect(client, ROOT + namespace, left);
      } finally {
        client.close();
      }
      return left;
    } catch (IOException | KeeperException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void collect(ZooKeeper client, String path, List<String> left)
      throws KeeperException, InterruptedException {
    try {
      String name = path.substring(path.lastIndexOf('/') + 1);
      byte[] data = client.getData(path, false, null);
      boolean isCell =
          data != null && new String(data, StandardCharsets.ISO_8859_1).startsWith(CELL);
      if (isCell || STAYS.matcher(name).matches()) {
        left.add("the node " + path);
      }
      for (String child : client.getChildren(path, false)) {
        collect(client, path + "/" + child, left);
      }
    } catch (KeeperException.NoNodeException e) {
      // gone meanwhile
    }
  }
}
