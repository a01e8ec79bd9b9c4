package io.lockkeeper.zookeeper;

import io.lockkeeper.servers.ZooKeeperServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** The nodes of a server as an operator sees them. */
final class RawTree {

  private static final Map<String, RawTree> TREES = new ConcurrentHashMap<>();

  private final ZooKeeper client;

  private RawTree(String connectString) {
    try {
      client = new ZooKeeper(connectString, 30_000, event -> {});
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static RawTree of(ZooKeeperServer server) {
    return TREES.computeIfAbsent(server.connectString(), RawTree::new);
  }

  /** Returns all paths below this one. */
  List<String> below(String path) {
    List<String> all = new ArrayList<>();
    try {
      for (String child : client.getChildren(path, false)) {
        all.add(path + "/" + child);
        all.addAll(below(path + "/" + child));
      }
    } catch (KeeperException.NoNodeException gone) {
      return all;
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
    return all;
  }

  /** Returns the data of a node as text; empty if the node is gone. */
  String data(String path) {
    try {
      return new String(client.getData(path, false, null), StandardCharsets.UTF_8);
    } catch (KeeperException.NoNodeException gone) {
      return "";
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Makes a node without data, if there may be one. */
  void create(String path) {
    try {
      client.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    } catch (KeeperException.NoNodeException
        | KeeperException.NodeExistsException
        | KeeperException.NoChildrenForEphemeralsException notNow) {
      return;
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Writes the data of a node, if it is still there. */
  void write(String path, byte[] data) {
    try {
      client.setData(path, data, -1);
    } catch (KeeperException.NoNodeException gone) {
      return;
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Deletes this path and all below it. */
  void deleteAll(String path) {
    for (int attempt = 0; attempt < 100; attempt++) {
      List<String> all = below(path);
      all.add(0, path);
      for (int i = all.size() - 1; i >= 0; i--) {
        delete(all.get(i));
      }
      if (below(path).isEmpty()) {
        return;
      }
    }
  }

  private void delete(String path) {
    try {
      client.delete(path, -1);
    } catch (KeeperException.NoNodeException | KeeperException.NotEmptyException goesOn) {
      return;
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
