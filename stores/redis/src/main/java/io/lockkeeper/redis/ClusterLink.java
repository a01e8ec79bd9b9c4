package io.lockkeeper.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.netty.util.Timer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A connection to every master of a cluster, and one to some node for pushes: what is published on
 * one node is heard on all of them.
 *
 * <p>The driver routes each call by its key. If replicas must confirm calls, each node has a {@link
 * Lane} and calls are routed here, because a wait must follow its calls to the same node.
 */
final class ClusterLink implements Link {

  private static final int MAX_GROUP = 100;

  /** The answers of a node that does not have a slot, or a key of a slot that it is giving away. */
  private static final Pattern REDIRECTION =
      Pattern.compile("(?:MOVED|ASK) \\d+ (.+):(\\d{1,5})\\s*");

  /** So many numbers in a row are in every slot, in all likelihood. */
  private static final int MOST_TRIES = 400_000;

  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<byte[], byte[]> connection;
  private final Replication replication;
  private final String description;
  private final Runnable closeAll;
  private final Map<Address, ScriptLoader> loaders = new ConcurrentHashMap<>();

  /** Whether it is being asked where the slots are: one question for all that went astray. */
  private final AtomicBoolean refreshing = new AtomicBoolean();

  private final Map<Address, ReplicationPipeline> lanes = new ConcurrentHashMap<>();

  ClusterLink(
      RedisClusterClient client,
      StatefulRedisClusterConnection<byte[], byte[]> connection,
      Replication replication,
      String description,
      Runnable closeAll) {
    this.client = client;
    this.connection = connection;
    this.replication = replication;
    this.description = description;
    this.closeAll = closeAll;
  }

  @Override
  public void send(Call<?> call) {
    if (!replication.isNeeded()) {
      connection.dispatch(call);
      return;
    }
    Address node = nodeOf(call);
    if (node == null) {
      call.completeExceptionally(new RedisException("no node has the slot of this key"));
    } else {
      lane(node).send(call);
    }
  }

  @Override
  public void send(Reads reads) {
    throw new UnsupportedOperationException(
        "reads are of the index, which a cluster does not have");
  }

  private ReplicationPipeline lane(Address node) {
    return ofNode(
        lanes, node, address -> new ReplicationPipeline(new NodeWire(address), replication));
  }

  /** Returns what belongs to a node; forgets what belonged to nodes that have left. */
  private <T> T ofNode(Map<Address, T> all, Address node, Function<Address, T> maker) {
    T known = all.get(node);
    if (known == null) {
      known = all.computeIfAbsent(node, maker);
      Set<Address> present = new HashSet<>(List.of(node));
      connection.getPartitions().forEach(partition -> present.add(addressOf(partition)));
      all.keySet().retainAll(present);
    }
    return known;
  }

  /** The connection to a node as a lane sees it. The driver may replace it as a whole. */
  private final class NodeWire implements Supplier<@Nullable Wire> {

    private final Address node;
    private @Nullable Wire latest;

    NodeWire(Address node) {
      this.node = node;
    }

    /** Called by one thread at a time. */
    @Override
    public @Nullable Wire get() {
      StatefulRedisConnection<byte[], byte[]> ready = connectionTo(node);
      if (ready == null) {
        return null;
      }
      if (latest == null || latest.connection != ready) {
        latest = new Wire(ready);
      }
      return latest;
    }
  }

  /** Where the driver routes the calls it follows redirections itself. */
  @Override
  public boolean redirect(Call<?> call, String redirection) {
    Matcher target = REDIRECTION.matcher(redirection);
    if (!replication.isNeeded() || !target.matches()) {
      return false;
    }
    lane(new Address(target.group(1), Integer.parseInt(target.group(2)))).send(call);
    return true;
  }

  private @Nullable StatefulRedisConnection<byte[], byte[]> connectionTo(Address node) {
    try {
      CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connecting =
          connection.getConnectionAsync(node.host(), node.port());
      return connecting.isDone() ? connecting.join() : null;
    } catch (RuntimeException unknownOrUnreachable) {
      return null;
    }
  }

  private @Nullable Address nodeOf(Call<?> call) {
    RedisClusterNode node =
        connection.getPartitions().getPartitionBySlot(SlotHash.getSlot(call.key));
    return node == null ? null : addressOf(node);
  }

  /** The driver, too, knows the connections that calls go over by the addresses of the nodes. */
  private static Address addressOf(RedisClusterNode node) {
    return new Address(node.getUri().getHost(), node.getUri().getPort());
  }

  @Override
  public void loadScripts(Call<?> call, long nowNanos) {
    Address node = nodeOf(call);
    StatefulRedisConnection<byte[], byte[]> ready = node == null ? null : connectionTo(node);
    if (node != null && ready != null) {
      ofNode(loaders, node, address -> new ScriptLoader()).load(call, nowNanos, ready);
    }
  }

  @Override
  public void reconnect(List<Call<?>> calls) {
    calls.stream()
        .map(this::nodeOf)
        .distinct()
        .forEach(
            node -> {
              StatefulRedisConnection<byte[], byte[]> broken =
                  node == null ? null : connectionTo(node);
              if (broken != null) {
                SingleLink.disconnect(broken);
              }
            });
    refresh();
  }

  /**
   * Where calls are routed here, nobody else learns from an answer that they went to the wrong
   * node, which may live on as a replica for ever.
   */
  @Override
  public void slotsMoved() {
    if (refreshing.compareAndSet(false, true)) {
      boolean isAsked = false;
      try {
        var unused =
            client.refreshPartitionsAsync().whenComplete((done, failure) -> refreshing.set(false));
        isAsked = true;
      } finally {
        if (!isAsked) {
          refreshing.set(false);
        }
      }
    }
  }

  private void refresh() {
    var unused = client.refreshPartitionsAsync();
  }

  @Override
  public List<int[]> groups(List<byte[]> keys) {
    Map<Integer, List<Integer>> bySlot = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      bySlot.computeIfAbsent(SlotHash.getSlot(keys.get(i)), slot -> new ArrayList<>()).add(i);
    }
    List<int[]> groups = new ArrayList<>();
    for (List<Integer> indexes : bySlot.values()) {
      for (int from = 0; from < indexes.size(); from += MAX_GROUP) {
        List<Integer> group = indexes.subList(from, Math.min(from + MAX_GROUP, indexes.size()));
        groups.add(group.stream().mapToInt(Integer::intValue).toArray());
      }
    }
    return groups;
  }

  @Override
  public List<byte[]> places(String beginning) {
    Map<Address, byte[]> places = new LinkedHashMap<>();
    int masters = masters(connection).size();
    for (int i = 0; i < MOST_TRIES && places.size() < masters; i++) {
      byte[] key = (beginning + i).getBytes(StandardCharsets.UTF_8);
      RedisClusterNode node = connection.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
      if (node != null) {
        places.putIfAbsent(addressOf(node), key);
      }
    }
    if (places.size() < masters) {
      throw new RedisException("the slots of the cluster are not known");
    }
    return List.copyOf(places.values());
  }

  /** Returns the nodes that have slots. */
  static List<Address> masters(StatefulRedisClusterConnection<?, ?> connection) {
    return connection.getPartitions().stream()
        .filter(node -> !node.hasNoSlots())
        .map(ClusterLink::addressOf)
        .toList();
  }

  @Override
  public boolean followsMoves() {
    return true;
  }

  @Override
  public String describe() {
    return description;
  }

  @Override
  public Timer timer() {
    return client.getResources().timer();
  }

  @Override
  public void close() {
    closeAll.run();
  }
}
