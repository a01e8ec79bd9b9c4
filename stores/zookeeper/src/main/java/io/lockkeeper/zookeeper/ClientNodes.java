package io.lockkeeper.zookeeper;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.support.Answers;
import io.lockkeeper.spi.support.ClientEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;

/**
 * The clients of a namespace: each has an ephemeral node, made anew with each session. A grant that
 * may outlast its client's session carries the same as a card; who has read that knows the client
 * also when the node is gone.
 *
 * <p>Failures to write it are not told, but for the first: the next question that needs it writes
 * it again.
 */
final class ClientNodes implements Connection.Listener {

  /** How many dead clients are remembered. */
  private static final int MOST = 1_000;

  private final Connection connection;
  private final Paths paths;
  private final ClientInfo self;
  private final String node;
  private final ReentrantLock mutex = new ReentrantLock();
  private final Map<String, String> dead = new LinkedHashMap<>();

  ClientNodes(Connection connection, Paths paths, StoreContext context) {
    this.connection = connection;
    this.paths = paths;
    this.self = context.client();
    this.node = node(self.id());
    connection.addListener(this);
  }

  private String node(String id) {
    return paths.clients() + "/" + Paths.encode(id);
  }

  /**
   * Writes this client down, and waits for that: who may not do so may not do anything here. If it
   * fails otherwise, the next question tells.
   *
   * @throws StoreRefusedException if the user lacks a permission
   */
  void enterOrThrow() {
    ZooKeeperSettings settings = connection.settings();
    try {
      write().get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      return; // it may come yet
    } catch (ExecutionException e) {
      if (Answers.cause(e) instanceof ZkFailures.DeniedException denied) {
        throw new StoreRefusedException(
            StoreProblem.DENIED, settings.describe() + ": " + denied.getMessage());
      }
    }
  }

  @Override
  public void sessionLost() {}

  @Override
  public void sessionShortened() {}

  @Override
  public void reconnected() {
    var unused = write();
  }

  /** Writes this client's node, and so tells the server's time. */
  CompletableFuture<Stat> touch() {
    return connection
        .write(node, ClientEntry.bytes(self), -1)
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? write()
                    : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  private CompletableFuture<Stat> write() {
    return create()
        .exceptionallyCompose(
            failure -> {
              if (ZkFailures.isMissing(failure)) {
                return connection.createFolder(paths.clients()).thenCompose(folder -> create());
              }
              return ZkFailures.isConflict(failure)
                  ? replace()
                  : CompletableFuture.failedFuture(Answers.cause(failure));
            });
  }

  private CompletableFuture<Stat> create() {
    return connection
        .create(node, ClientEntry.bytes(self), CreateMode.EPHEMERAL)
        .thenApply(Connection.Created::stat);
  }

  /** A node of this session stays; that of an earlier one, which goes at any moment, does not. */
  private CompletableFuture<Stat> replace() {
    return connection
        .exists(node, null)
        .thenCompose(
            stat -> {
              if (stat.getEphemeralOwner() == connection.sessionId()) {
                return connection.write(node, ClientEntry.bytes(self), -1);
              }
              return connection.delete(node, -1).thenCompose(gone -> create());
            });
  }

  /** Takes this client off, when it closes; if that fails the node goes with the session. */
  void leave() {
    ZkFailures.unheard(connection.delete(node, -1));
  }

  CompletableFuture<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    List<CompletableFuture<List<ClientInfo>>> all = ids.stream().map(id -> client(id)).toList();
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
        .<Outcome<List<ClientInfo>>>thenApply(
            done -> {
              List<ClientInfo> found = new ArrayList<>();
              all.forEach(one -> found.addAll(one.join()));
              return Outcome.answered(found);
            })
        .exceptionally(ZkFailures::outcome);
  }

  private CompletableFuture<List<ClientInfo>> client(String id) {
    return connection
        .read(node(id), null)
        .thenApply(found -> parsed(id, found.data()))
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? CompletableFuture.completedFuture(fromCard(id))
                    : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  /** Returns what names a client where its own node may be gone: one word. */
  static String card(ClientInfo client) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(ClientEntry.bytes(client));
  }

  /** Records the card of a client whose node may be gone. */
  void meet(String id, String card) {
    if (card.isEmpty()) {
      return;
    }
    mutex.lock();
    try {
      dead.remove(id);
      dead.put(id, card);
      if (dead.size() > MOST) {
        Iterator<String> eldest = dead.keySet().iterator();
        eldest.next();
        eldest.remove();
      }
    } finally {
      mutex.unlock();
    }
  }

  private List<ClientInfo> fromCard(String id) {
    String card;
    mutex.lock();
    try {
      card = dead.get(id);
    } finally {
      mutex.unlock();
    }
    if (card == null) {
      return List.of();
    }
    try {
      return parsed(id, Base64.getUrlDecoder().decode(card));
    } catch (IllegalArgumentException foreign) {
      return List.of();
    }
  }

  private static List<ClientInfo> parsed(String id, byte[] entry) {
    return ClientEntry.parse(id, new String(entry, StandardCharsets.UTF_8)).stream().toList();
  }
}
