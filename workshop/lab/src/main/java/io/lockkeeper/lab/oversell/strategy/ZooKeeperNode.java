package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.StoreKind;
import io.lockkeeper.lab.oversell.zookeeper.ZooKeeperLine;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * The lock that people write themselves in ZooKeeper: one ephemeral node that all wait for, or a
 * line of ephemeral sequential nodes of which each waits for the one before.
 */
final class ZooKeeperNode implements GuardStrategy {

  private static final String PREFIX = "/n-";

  private final boolean sequential;

  ZooKeeperNode(boolean sequential) {
    this.sequential = sequential;
  }

  @Override
  public String name() {
    return sequential ? "sequential" : "ephemeral";
  }

  @Override
  public String summary() {
    return sequential
        ? "ephemeral sequential nodes, each watching the one before"
        : "one ephemeral node, watched by all that wait";
  }

  @Override
  public Scope scope() {
    return Scope.ALL_PROCESSES;
  }

  @Override
  public Set<StoreKind> stores() {
    return EnumSet.of(StoreKind.ZOOKEEPER);
  }

  @Override
  public Guards guards(GuardContext context) {
    ZooKeeperLine line = ZooKeeperLine.connect(context.storeUrl());
    return new Guards() {
      @Override
      public Guard guard(String name) {
        String parent = line.path() + "/lab-" + name;
        line.call(client -> createIfAbsent(client, parent));
        return new Door(line, parent, sequential, context.points());
      }

      @Override
      public void close() {
        line.close();
      }
    };
  }

  private static boolean createIfAbsent(ZooKeeper client, String path)
      throws KeeperException, InterruptedException {
    try {
      client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      return true;
    } catch (KeeperException.NodeExistsException e) {
      return false;
    }
  }

  private static final class Door implements Guard {

    private final ZooKeeperLine line;
    private final String parent;
    private final boolean sequential;
    private final Points points;
    private final ThreadLocal<String> own = new ThreadLocal<>();

    Door(ZooKeeperLine line, String parent, boolean sequential, Points points) {
      this.line = line;
      this.parent = parent;
      this.sequential = sequential;
      this.points = points;
    }

    @Override
    public long enter() {
      own.set(line.call(sequential ? this::queue : this::grab));
      return NO_TOKEN;
    }

    private String grab(ZooKeeper client) throws KeeperException, InterruptedException {
      String path = parent + "/lock";
      while (true) {
        try {
          return client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        } catch (KeeperException.NodeExistsException e) {
          awaitEnd(client, path);
        }
      }
    }

    private String queue(ZooKeeper client) throws KeeperException, InterruptedException {
      String path =
          client.create(
              parent + PREFIX, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
      String name = path.substring(parent.length() + 1);
      while (true) {
        List<String> line = client.getChildren(parent, false);
        Collections.sort(line);
        int place = line.indexOf(name);
        if (place == 0) {
          return path;
        }
        awaitEnd(client, parent + "/" + line.get(place - 1));
      }
    }

    private void awaitEnd(ZooKeeper client, String path)
        throws KeeperException, InterruptedException {
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
      line.call(
          client -> {
            client.delete(path, -1);
            return true;
          });
    }
  }
}
