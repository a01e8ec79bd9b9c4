package io.lockkeeper.zookeeper;

import io.lockkeeper.servers.ZooKeeperServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/** The nodes of a server as an operator sees them. */
final class RawTree {

  private static final Map<String, RawTree> TREES = new ConcurrentHashMap<>();

  private final ZooKeeper client;

  private RawTree(String connectString, String login) {
    try {
      client = new ZooKeeper(connectString, 30_000, event -> {});
      if (!login.isEmpty()) {
        client.addAuthInfo("digest", login.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static RawTree of(ZooKeeperServer server) {
    return of(server, "");
  }

  /** As somebody with this user and password sees them. */
  static RawTree of(ZooKeeperServer server, String login) {
    return TREES.computeIfAbsent(
        login + "@" + server.connectString(), key -> new RawTree(server.connectString(), login));
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

  /** Returns whether a node goes with its session. */
  boolean isEphemeral(String path) {
    try {
      Stat stat = client.exists(path, false);
      return stat != null && stat.getEphemeralOwner() != 0;
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns all paths below this one, each with its data and the transaction that wrote it. */
  List<String> described(String path) {
    List<String> all = new ArrayList<>();
    try {
      for (String node : below(path)) {
        Stat stat = new Stat();
        String data = new String(client.getData(node, false, stat), StandardCharsets.UTF_8);
        all.add(node + " " + stat.getMzxid() + " " + data);
      }
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
    Collections.sort(all);
    return all;
  }

  /** Makes a node without data in which these may do something. */
  void create(String path, List<ACL> rights) {
    try {
      client.create(path, new byte[0], rights, CreateMode.PERSISTENT);
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Sets who may do what with a node. */
  void allow(String path, List<ACL> rights) {
    try {
      client.setACL(path, rights, -1);
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

  /** Deletes this path and all below it, in one step: clients make nodes again at once. */
  void deleteAll(String path) {
    for (int attempt = 0; attempt < 100; attempt++) {
      List<Op> deletions = new ArrayList<>();
      below(path).forEach(node -> deletions.add(0, Op.delete(node, -1)));
      deletions.add(Op.delete(path, -1));
      try {
        client.multi(deletions);
        return;
      } catch (KeeperException changed) {
        if (below(path).isEmpty()) {
          delete(path);
          return;
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    throw new AssertionError("nodes are made again and again below " + path);
  }

  /** Deletes a node, if it is there and has no children. */
  void delete(String path) {
    try {
      client.delete(path, -1);
    } catch (KeeperException.NoNodeException | KeeperException.NotEmptyException goesOn) {
      return;
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
