package io.lockkeeper.zookeeper;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.CheckVersionRequest;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.SetDataRequest;
import org.jspecify.annotations.Nullable;

/** The nodes as one simulated server has them: ZooKeeper's rules for versions, names and ends. */
final class SimTree {

  /** A node was made, written or deleted. */
  record Change(EventType type, String path) {}

  /** A transaction that can be carried out again, with the same result, on each server. */
  record Txn(long zxid, long millis, long session, List<Op> ops) {}

  private static final class Znode {
    byte[] data;
    int version;

    /** How many children have been made. */
    int made;

    final long czxid;
    long mzxid;
    final long owner;
    final boolean isContainer;
    final long createdMillis;
    long writtenMillis;
    final TreeSet<String> children = new TreeSet<>();

    Znode(byte[] data, Txn txn, long owner, boolean isContainer) {
      this.data = data;
      this.czxid = txn.zxid();
      this.mzxid = txn.zxid();
      this.owner = owner;
      this.isContainer = isContainer;
      this.createdMillis = txn.millis();
      this.writtenMillis = txn.millis();
    }

    Stat stat() {
      Stat stat = new Stat();
      stat.setCzxid(czxid);
      stat.setMzxid(mzxid);
      stat.setCtime(createdMillis);
      stat.setMtime(writtenMillis);
      stat.setVersion(version);
      stat.setCversion(2 * made - children.size());
      stat.setEphemeralOwner(owner);
      stat.setNumChildren(children.size());
      return stat;
    }
  }

  /** What came of a transaction. */
  record Outcome(List<OpResult> results, List<Change> changes, Code code) {}

  private final Map<String, Znode> nodes = new HashMap<>();
  private long zxid;

  SimTree() {
    nodes.put("/", new Znode(new byte[0], new Txn(0, 0, 0, List.of()), 0, false));
  }

  long zxid() {
    return zxid;
  }

  // ------------------------------------------------------------- reading

  byte[] data(String path) throws KeeperException {
    return existing(path).data.clone();
  }

  Stat stat(String path) throws KeeperException {
    return existing(path).stat();
  }

  List<String> children(String path) throws KeeperException {
    return new ArrayList<>(existing(path).children);
  }

  boolean has(String path) {
    return nodes.containsKey(path);
  }

  List<String> paths() {
    return nodes.keySet().stream().sorted().toList();
  }

  /** Returns the nodes that end with a session. */
  List<String> ephemerals(long session) {
    return nodes.entrySet().stream()
        .filter(entry -> entry.getValue().owner == session)
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /** Returns whether the server would remove a node by itself. */
  boolean isDeserted(String path) {
    Znode node = nodes.get(path);
    return node != null && node.isContainer && node.children.isEmpty() && node.made > 0;
  }

  private Znode existing(String path) throws KeeperException {
    Znode node = nodes.get(path);
    if (node == null) {
      throw KeeperException.create(Code.NONODE, path);
    }
    return node;
  }

  // ------------------------------------------------------------- writing

  /** Carries a transaction out, or nothing of it. */
  Outcome apply(Txn txn) {
    zxid = txn.zxid();
    List<OpResult> results = new ArrayList<>();
    List<Change> changes = new ArrayList<>();
    Deque<Runnable> undo = new ArrayDeque<>();
    for (Op op : txn.ops()) {
      try {
        results.add(apply(op, txn, changes, undo));
      } catch (KeeperException refused) {
        undo.forEach(Runnable::run);
        return new Outcome(refused(txn.ops(), results.size(), refused), List.of(), refused.code());
      }
    }
    return new Outcome(results, changes, Code.OK);
  }

  private static List<OpResult> refused(List<Op> ops, int failed, KeeperException refused) {
    List<OpResult> results = new ArrayList<>();
    for (int i = 0; i < ops.size(); i++) {
      Code code = i < failed ? Code.OK : i > failed ? Code.RUNTIMEINCONSISTENCY : refused.code();
      results.add(new OpResult.ErrorResult(code.intValue()));
    }
    return results;
  }

  private OpResult apply(Op op, Txn txn, List<Change> changes, Deque<Runnable> undo)
      throws KeeperException {
    switch (op.getType()) {
      case OpCode.check -> {
        CheckVersionRequest request = (CheckVersionRequest) op.toRequestRecord();
        matching(op.getPath(), request.getVersion());
        return new OpResult.CheckResult();
      }
      case OpCode.delete -> {
        DeleteRequest request = (DeleteRequest) op.toRequestRecord();
        delete(op.getPath(), request.getVersion(), undo);
        changes.add(new Change(EventType.NodeDeleted, op.getPath()));
        return new OpResult.DeleteResult();
      }
      case OpCode.setData -> {
        SetDataRequest request = (SetDataRequest) op.toRequestRecord();
        Znode node = matching(op.getPath(), request.getVersion());
        write(node, request.getData(), txn, undo);
        changes.add(new Change(EventType.NodeDataChanged, op.getPath()));
        return new OpResult.SetDataResult(node.stat());
      }
      default -> {
        CreateRequest request = (CreateRequest) op.toRequestRecord();
        String path = create(op.getPath(), request, txn, undo);
        changes.add(new Change(EventType.NodeCreated, path));
        return new OpResult.CreateResult(path, existing(path).stat());
      }
    }
  }

  private Znode matching(String path, int version) throws KeeperException {
    Znode node = existing(path);
    if (version != -1 && version != node.version) {
      throw KeeperException.create(Code.BADVERSION, path);
    }
    return node;
  }

  private static void write(Znode node, byte[] data, Txn txn, Deque<Runnable> undo) {
    byte[] oldData = node.data;
    long oldZxid = node.mzxid;
    long oldMillis = node.writtenMillis;
    undo.push(
        () -> {
          node.data = oldData;
          node.mzxid = oldZxid;
          node.writtenMillis = oldMillis;
          node.version--;
        });
    node.data = data;
    node.mzxid = txn.zxid();
    node.writtenMillis = txn.millis();
    node.version++;
  }

  private String create(String wanted, CreateRequest request, Txn txn, Deque<Runnable> undo)
      throws KeeperException {
    CreateMode mode = CreateMode.fromFlag(request.getFlags());
    Znode above = nodes.get(RequiredPermission.parent(wanted));
    if (above == null) {
      throw KeeperException.create(Code.NONODE, wanted);
    }
    String path = mode.isSequential() ? wanted + String.format("%010d", above.made) : wanted;
    if (nodes.containsKey(path)) {
      throw KeeperException.create(Code.NODEEXISTS, path);
    }
    byte[] data = request.getData();
    long owner = mode.isEphemeral() ? txn.session() : 0;
    nodes.put(path, new Znode(data, txn, owner, mode.isContainer()));
    above.children.add(name(path));
    above.made++;
    undo.push(
        () -> {
          nodes.remove(path);
          above.children.remove(name(path));
          above.made--;
        });
    return path;
  }

  private void delete(String path, int version, Deque<Runnable> undo) throws KeeperException {
    Znode node = matching(path, version);
    if (!node.children.isEmpty()) {
      throw KeeperException.create(Code.NOTEMPTY, path);
    }
    Znode above = existing(RequiredPermission.parent(path));
    nodes.remove(path);
    above.children.remove(name(path));
    undo.push(
        () -> {
          nodes.put(path, node);
          above.children.add(name(path));
        });
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns what a client missed of a node since it last heard, or null if nothing. */
  @Nullable EventType missed(String path, boolean wasThere, long sinceZxid) {
    Znode node = nodes.get(path);
    if (node == null) {
      return wasThere ? EventType.NodeDeleted : null;
    }
    if (!wasThere) {
      return EventType.NodeCreated;
    }
    return node.mzxid > sinceZxid ? EventType.NodeDataChanged : null;
  }
}
