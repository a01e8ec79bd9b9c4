package io.lockkeeper.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A real Redis Cluster: three masters that share the slots, each with a replica if asked for. */
public final class RedisCluster implements AutoCloseable {

  private static final int MASTERS = 3;
  private static final int SLOTS = 16_384;

  /** After so long a replica that was asked to take over has given up. */
  private static final Duration FAILOVER_LIMIT = Duration.ofSeconds(6);

  private static final String NODE_TIMEOUT_MILLIS = "2000";

  private final List<RedisServer> masters = new ArrayList<>();
  private final List<RedisServer> replicas = new ArrayList<>();

  private RedisCluster() {}

  /** Starts three masters. */
  public static RedisCluster start(RedisBinary binary) {
    return start(binary, false, Map::of);
  }

  /** Starts three masters and a replica of each. */
  public static RedisCluster startWithReplicas(RedisBinary binary) {
    return start(binary, true, Map::of);
  }

  /**
   * Starts three masters and a replica of each.
   *
   * @param environment makes the variables for each server, beside those that this process has
   */
  public static RedisCluster startWithReplicas(
      RedisBinary binary, Supplier<Map<String, String>> environment) {
    return start(binary, true, environment);
  }

  private static RedisCluster start(
      RedisBinary binary, boolean withReplicas, Supplier<Map<String, String>> environment) {
    RedisCluster cluster = new RedisCluster();
    try {
      for (int i = 0; i < MASTERS; i++) {
        cluster.masters.add(startNode(binary, environment.get()));
      }
      for (int i = 0; withReplicas && i < MASTERS; i++) {
        cluster.replicas.add(startNode(binary, environment.get()));
      }
      cluster.assignSlots();
      cluster.introduce();
      cluster.attachReplicas();
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private static RedisServer startNode(RedisBinary binary, Map<String, String> environment) {
    return RedisServer.builder()
        .binary(binary)
        .environment(environment)
        .clusterNode()
        .option("cluster-node-timeout", NODE_TIMEOUT_MILLIS)
        .start();
  }

  /** Returns the masters at the start; a failover may have changed who is master since. */
  public List<RedisServer> masters() {
    return List.copyOf(masters);
  }

  /** Returns the replicas at the start, in the order of their masters. */
  public List<RedisServer> replicas() {
    return List.copyOf(replicas);
  }

  /** Returns all nodes, in the order in which they were started. */
  public List<RedisServer> servers() {
    return nodes().toList();
  }

  /** Returns the masters of now, those that run and know that they are. */
  public List<RedisServer> mastersNow() {
    return nodes().filter(RedisCluster::isMaster).toList();
  }

  /** Returns the other one of a master and its replica. */
  public RedisServer partnerOf(RedisServer node) {
    int master = masters.indexOf(node);
    return master >= 0 ? replicas.get(master) : masters.get(replicas.indexOf(node));
  }

  /** Waits until this node has taken over from its master. */
  public void awaitMaster(RedisServer node) {
    Waiting.until("the replica has taken over", () -> isMaster(node));
    awaitAnswers();
  }

  /**
   * Makes a replica take over from its master, which lives on as the replica. The others may not
   * know the replica well enough yet to agree; so it is asked again, when it has given up.
   */
  public void switchTo(RedisServer replica) {
    AtomicLong askAgain = new AtomicLong(System.nanoTime());
    Waiting.until(
        "the replica has taken over from a living master",
        () -> {
          long now = System.nanoTime();
          if (!isMaster(replica) && now - askAgain.get() >= 0) {
            askAgain.set(now + FAILOVER_LIMIT.toNanos());
            replica.command("CLUSTER", "FAILOVER");
          }
          return isMaster(replica);
        });
    awaitAnswers();
  }

  /** Waits until each pair of nodes is a master and its replica, and all slots are served. */
  public void awaitWhole() {
    Waiting.until(
        "each master has its replica",
        () ->
            mastersNow().size() == MASTERS
                && mastersNow().stream().allMatch(it -> it.isFollowedBy(partnerOf(it))));
    awaitAgreement();
    awaitAnswers();
  }

  /**
   * Waits until all nodes tell the same of each other. A replica that has not heard of the latest
   * epoch of its master gets no votes once the master is gone, however often it asks.
   */
  private void awaitAgreement() {
    Waiting.until(
        "the nodes agree on who is who",
        () -> nodes().map(RedisCluster::told).distinct().count() == 1);
  }

  /** Returns what a node knows of all: identity, role, master, epoch and slots, in one order. */
  private static List<List<String>> told(RedisServer node) {
    return clusterNodes(node).stream()
        .map(line -> line.replace("myself,", "").split(" ", -1))
        .map(
            field ->
                Stream.concat(
                        Stream.of(field[0], field[2], field[3], field[6]),
                        Arrays.stream(field).skip(8))
                    .toList())
        .sorted(Comparator.comparing(fields -> fields.get(0)))
        .toList();
  }

  private void awaitAnswers() {
    Waiting.until(
        "the masters serve all slots",
        () ->
            mastersNow().stream()
                .allMatch(node -> clusterInfo(node).contains("cluster_state:ok\r")));
  }

  private static boolean isMaster(RedisServer node) {
    try {
      return Objects.equals(node.info("replication").get("role"), "master");
    } catch (IllegalStateException notThere) {
      return false;
    }
  }

  /** Returns a URL that names every node. */
  public String url() {
    return nodes()
        .map(node -> RedisServer.HOST + ":" + node.port())
        .collect(Collectors.joining(",", "redis-cluster://", ""));
  }

  /** Returns the master at the start of the slot that {@code key} is in. */
  public RedisServer masterOf(String key) {
    long slot = (Long) Objects.requireNonNull(masters.get(0).command("CLUSTER", "KEYSLOT", key));
    return masters.get((int) (slot * MASTERS / SLOTS));
  }

  /** Opens the slot of this key for a move from its master at the start to another one. */
  public void beginMove(String key, RedisServer to) {
    RedisServer from = masterOf(key);
    to.command("CLUSTER", "SETSLOT", slotOf(key), "IMPORTING", idOf(from));
    from.command("CLUSTER", "SETSLOT", slotOf(key), "MIGRATING", idOf(to));
  }

  /** Moves keys whose slot is open, as far as they are there. */
  public void moveKeys(RedisServer to, String... keys) {
    String port = String.valueOf(to.port());
    Stream<String> command = Stream.of("MIGRATE", RedisServer.HOST, port, "", "0", "5000", "KEYS");
    masterOf(keys[0]).command(Stream.concat(command, Stream.of(keys)).toArray(String[]::new));
  }

  /** Moves what is left in the slot of this key, and gives the slot away. */
  public void endMove(String key, RedisServer to) {
    RedisServer from = masterOf(key);
    Object keys = from.command("CLUSTER", "GETKEYSINSLOT", slotOf(key), "1000");
    if (keys instanceof List<?> left && !left.isEmpty()) {
      moveKeys(to, left.stream().map(String::valueOf).toArray(String[]::new));
    }
    to.command("CLUSTER", "SETSLOT", slotOf(key), "NODE", idOf(to));
    from.command("CLUSTER", "SETSLOT", slotOf(key), "NODE", idOf(to));
  }

  private String slotOf(String key) {
    return String.valueOf(masters.get(0).command("CLUSTER", "KEYSLOT", key));
  }

  private static String idOf(RedisServer node) {
    return String.valueOf(node.command("CLUSTER", "MYID"));
  }

  @Override
  public void close() {
    nodes().forEach(RedisServer::close);
  }

  private Stream<RedisServer> nodes() {
    return Stream.concat(masters.stream(), replicas.stream());
  }

  private void assignSlots() {
    for (int i = 0; i < MASTERS; i++) {
      int owner = i;
      Stream<String> slots =
          IntStream.range(0, SLOTS)
              .filter(slot -> slot * MASTERS / SLOTS == owner)
              .mapToObj(String::valueOf);
      masters
          .get(i)
          .command(Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots).toArray(String[]::new));
      masters.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
    }
  }

  private void introduce() {
    RedisServer first = masters.get(0);
    nodes()
        .skip(1)
        .forEach(
            node ->
                node.command("CLUSTER", "MEET", RedisServer.HOST, String.valueOf(first.port())));
    awaitAll(
        "the cluster is complete",
        node -> clusterInfo(node).contains("cluster_state:ok\r") && isLinkedToAll(node));
  }

  /**
   * Returns whether a node can send to every other: what is published on a node without such a link
   * does not reach the subscribers there.
   */
  private boolean isLinkedToAll(RedisServer node) {
    List<String> lines = clusterNodes(node);
    return lines.size() == nodes().count()
        && lines.stream()
            .allMatch(line -> line.contains(" connected") && !line.contains("handshake"));
  }

  private void attachReplicas() {
    for (int i = 0; i < replicas.size(); i++) {
      String masterId = (String) masters.get(i).command("CLUSTER", "MYID");
      replicas.get(i).command("CLUSTER", "REPLICATE", Objects.requireNonNull(masterId));
    }
    for (int i = 0; i < replicas.size(); i++) {
      RedisServer master = masters.get(i);
      RedisServer replica = replicas.get(i);
      Waiting.until("the replica follows its master", () -> master.isFollowedBy(replica));
    }
    awaitAgreement();
  }

  private void awaitAll(String what, Predicate<RedisServer> condition) {
    Waiting.until(what, () -> nodes().allMatch(condition));
  }

  private static List<String> clusterNodes(RedisServer node) {
    return Objects.requireNonNull((String) node.command("CLUSTER", "NODES")).lines().toList();
  }

  private static String clusterInfo(RedisServer node) {
    return Objects.requireNonNull((String) node.command("CLUSTER", "INFO"));
  }
}
