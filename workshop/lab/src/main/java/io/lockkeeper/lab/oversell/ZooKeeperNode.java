package io.lockkeeper.lab.oversell;

import io.lockkeeper.lab.oversell.Guard.Guards;
import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * The lock that people write themselves in ZooKeeper: one ephemeral node that all wait for, or a
 * line of ephemeral sequential nodes of which each waits for the one before.
 */
final class ZooKeeperNode implements Guard {

  private static final int SESSION_MILLIS = 10_000;

  private final ZooKeeper client;
  private final String parent;
  private final boolean sequential;
  private final Points points;
  private final ThreadLocal<String> own = new ThreadLocal<>();

  private ZooKeeperNode(ZooKeeper client, String parent, boolean sequential, Points points) {
    this.client = client;
    this.parent = parent;
    this.sequential = sequential;
    this.points = points;
    create(parent, CreateMode.PERSISTENT);
  }

  static Guards guards(GuardContext context, boolean sequential) {
    try {
      ZooKeeper client =
          new ZooKeeper(URI.create(context.storeUrl()).getAuthority(), SESSION_MILLIS, event -> {});
      return new Guards(
          name -> new ZooKeeperNode(client, "/lab-" + name, sequential, context.points()),
          () -> close(client));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void close(ZooKeeper client) {
    try {
      client.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the path of a new node, or an empty text if there is one already. */
  private String create(String path, CreateMode mode) {
    try {
      return client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, mode);
    } catch (KeeperException.NodeExistsException e) {
      return "";
    } catch (KeeperException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public long enter() throws InterruptedException {
    try {
      own.set(sequential ? queue() : grab());
    } catch (KeeperException e) {
      throw new IllegalStateException(e);
    }
    return NO_TOKEN;
  }

  private String grab() throws KeeperException, InterruptedException {
    String path = parent + "/lock";
    while (create(path, CreateMode.EPHEMERAL).isEmpty()) {
      awaitEnd(path);
    }
    return path;
  }

  private String queue() throws KeeperException, InterruptedException {
    String path = create(parent + "/n-", CreateMode.EPHEMERAL_SEQUENTIAL);
    String name = path.substring(parent.length() + 1);
    while (true) {
      List<String> line = client.getChildren(parent, false);
      Collections.sort(line);
      int place = line.indexOf(name);
      if (place == 0) {
        return path;
      }
      awaitEnd(parent + "/" + line.get(place - 1));
    }
  }

  private void awaitEnd(String path) throws KeeperException, InterruptedException {
    CountDownLatch gone = new CountDownLatch(1);
    if (client.exists(path, event -> gone.countDown()) != null) {
      points.at(Points.WAITS);
      gone.await();
      points.at(Points.WOKEN);
    }
  }

  @Override
  public void exit() {
    String path = own.get();
    own.remove();
    try {
      client.delete(path, -1);
    } catch (KeeperException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
