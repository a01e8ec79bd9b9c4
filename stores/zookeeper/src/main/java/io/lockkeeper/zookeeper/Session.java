package io.lockkeeper.zookeeper;

import java.util.List;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * One session with the servers: the methods of ZooKeeper's own handle that the store uses, and no
 * others, so that tests can put a simulated ensemble in its place.
 */
interface Session {

  long getSessionId();

  int getSessionTimeout();

  /** Gives up the connection to the present server; the session goes on over another server. */
  void changeServer();

  void getData(
      String path,
      @Nullable Watcher watcher,
      AsyncCallback.DataCallback answer,
      @Nullable Object context);

  void exists(
      String path,
      @Nullable Watcher watcher,
      AsyncCallback.StatCallback answer,
      @Nullable Object context);

  void getChildren(
      String path, boolean watch, AsyncCallback.Children2Callback answer, @Nullable Object context);

  void create(
      String path,
      byte[] data,
      List<ACL> acl,
      CreateMode mode,
      AsyncCallback.Create2Callback answer,
      @Nullable Object context);

  void addWatch(
      String path,
      Watcher watcher,
      AddWatchMode mode,
      AsyncCallback.VoidCallback answer,
      @Nullable Object context);

  void delete(
      String path, int version, AsyncCallback.VoidCallback answer, @Nullable Object context);

  void multi(Iterable<Op> ops, AsyncCallback.MultiCallback answer, @Nullable Object context);
}
