package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.record.Message;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.spi.support.Answers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Messages between the clients of a namespace. A message is the name of a node that is made and
 * deleted in one transaction, with the change that it tells of. Its receiver watches the place, and
 * so learns the name by the event, without a request; and nothing is left.
 */
final class Mail implements Watcher {

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Connection connection;
  private final String namespace;
  private final String box;
  private volatile RecordStore.@Nullable Listener listener;

  Mail(Connection connection, String namespace, String client) {
    this.connection = connection;
    this.namespace = namespace;
    this.box = Nodes.mail(namespace, client);
  }

  /** Returns what sends messages, as parts of a transaction. */
  List<Op> ops(List<Message> messages) {
    Map<String, Set<String>> texts = new LinkedHashMap<>();
    messages.forEach(
        message ->
            texts
                .computeIfAbsent(
                    Nodes.mail(namespace, message.client()), none -> new LinkedHashSet<>())
                .add(Nodes.encode(message.text())));
    List<Op> ops = new ArrayList<>();
    List<ACL> acl = connection.settings().acl();
    texts.forEach(
        (path, all) -> {
          ops.add(Op.create(path, new byte[0], acl, CreateMode.PERSISTENT));
          for (String text : all) {
            ops.add(Op.create(path + "/" + text, new byte[0], acl, CreateMode.PERSISTENT));
            ops.add(Op.delete(path + "/" + text, -1));
          }
          ops.add(Op.delete(path, -1));
        });
    return ops;
  }

  /** Returns whether a transaction failed because the folder of the namespace is not there. */
  boolean isWithoutFolder(@Nullable String failed) {
    return failed != null && failed.startsWith(namespace + "/!");
  }

  /** Makes and deletes a node, which needs the permissions of everything else here. */
  CompletableFuture<Stat> rehearse() {
    String path = box + "-";
    return connection
        .multi(
            List.of(
                Op.create(path, new byte[0], connection.settings().acl(), CreateMode.PERSISTENT),
                Op.setData(path, new byte[0], -1),
                Op.delete(path, -1)))
        .thenApply(
            results -> ((org.apache.zookeeper.OpResult.SetDataResult) results.get(1)).getStat())
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? connection.createFolder(namespace).thenCompose(made -> rehearse())
                    : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  void listen(RecordStore.Listener hears) {
    listener = hears;
    watch();
  }

  /** Begins to watch, in a session that may be new; something may have been missed before. */
  void watch() {
    RecordStore.Listener hears = listener;
    if (hears == null) {
      return;
    }
    ZkFailures.unheard(
        connection
            .watch(box, this)
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    hears.reconnected();
                  } else if (connection.sessionId() != 0) {
                    connection.later(this::watch, PAUSE_NANOS);
                  }
                }));
  }

  @Override
  public void process(WatchedEvent event) {
    RecordStore.Listener hears = listener;
    String path = event.getPath();
    if (hears != null
        && event.getType() == EventType.NodeCreated
        && path != null
        && path.startsWith(box + "/")) {
      hears.message(Nodes.decode(path.substring(box.length() + 1)));
    }
  }
}
