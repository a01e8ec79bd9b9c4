package io.lockkeeper.servers;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real Redis master with two replicas, watched by three Sentinels. */
public final class RedisSentinelGroup implements AutoCloseable {

  /** The name under which the Sentinels know the master. */
  public static final String MASTER_NAME = "mymaster";

  private static final int REPLICAS = 2;
  private static final int SENTINELS = 3;
  private static final String QUORUM = "2";

  /**
   * Longer than the second that a Sentinel leaves between two attempts to connect: with less, a new
   * master seems to be down already while the Sentinels connect to it, and is replaced in its turn.
   * A replica whose link was down for ten times as long is not promoted.
   */
  private static final String DOWN_AFTER_MILLIS = "2500";

  /**
   * Long enough for a promoted replica to be seen as master, and half the time between attempts.
   */
  private static final String FAILOVER_TIMEOUT_MILLIS = "5000";

  private final List<RedisServer> servers = new ArrayList<>();
  private final List<RedisServer> sentinels = new ArrayList<>();

  private final @Nullable String password;
  private final @Nullable String sentinelPassword;

  private RedisSentinelGroup(@Nullable String password, @Nullable String sentinelPassword) {
    this.password = password;
    this.sentinelPassword = sentinelPassword;
  }

  /** Starts all six and waits until they know each other. */
  public static RedisSentinelGroup start(RedisBinary binary) {
    return start(binary, Map::of);
  }

  /**
   * Starts all six and waits until they know each other.
   *
   * @param environment makes the variables for each server, beside those that this process has; the
   *     Sentinels get none
   */
  public static RedisSentinelGroup start(
      RedisBinary binary, Supplier<Map<String, String>> environment) {
    return start(new RedisSentinelGroup(null, null), binary, environment);
  }

  /**
   * Starts all six and waits until they know each other.
   *
   * @param password what the servers require, or null
   * @param sentinelPassword what the Sentinels require, or null
   */
  public static RedisSentinelGroup start(
      RedisBinary binary, @Nullable String password, @Nullable String sentinelPassword) {
    return start(new RedisSentinelGroup(password, sentinelPassword), binary, Map::of);
  }

  private static RedisSentinelGroup start(
      RedisSentinelGroup group, RedisBinary binary, Supplier<Map<String, String>> environment) {
    try {
      group.startServers(binary, environment);
      group.startSentinels(binary);
      return group;
    } catch (RuntimeException e) {
      group.close();
      throw e;
    }
  }

  private void startServers(RedisBinary binary, Supplier<Map<String, String>> environment) {
    RedisServer master = builder(binary, password).environment(environment.get()).start();
    servers.add(master);
    for (int i = 0; i < REPLICAS; i++) {
      servers.add(
          builder(binary, password).environment(environment.get()).replicaOf(master).start());
    }
    Waiting.until(
        "the replicas follow the master",
        () -> servers.stream().skip(1).allMatch(master::isFollowedBy));
  }

  private void startSentinels(RedisBinary binary) {
    String port = String.valueOf(servers.get(0).port());
    for (int i = 0; i < SENTINELS; i++) {
      RedisServerBuilder sentinel =
          builder(binary, sentinelPassword)
              .sentinel()
              .option("sentinel", "monitor", MASTER_NAME, RedisServer.HOST, port, QUORUM)
              .option("sentinel", "down-after-milliseconds", MASTER_NAME, DOWN_AFTER_MILLIS)
              .option("sentinel", "failover-timeout", MASTER_NAME, FAILOVER_TIMEOUT_MILLIS);
      if (password != null) {
        sentinel.option("sentinel", "auth-pass", MASTER_NAME, password);
      }
      sentinels.add(sentinel.start());
    }
    sentinels.forEach(RedisSentinelGroup::lookEachSecond);
    Waiting.until(
        "the Sentinels know each other and the replicas",
        () ->
            sentinels.stream()
                .allMatch(
                    sentinel ->
                        masterField(sentinel, "num-slaves").equals(String.valueOf(REPLICAS))
                            && masterField(sentinel, "num-other-sentinels")
                                .equals(String.valueOf(SENTINELS - 1))));
  }

  /** Makes a Sentinel look at the servers each second, where the version can; else each 10 s. */
  private static void lookEachSecond(RedisServer sentinel) {
    try {
      sentinel.command("SENTINEL", "DEBUG", "INFO-PERIOD", "1000");
    } catch (RedisErrorException beforeRedis7) {
      // each 10 s
    }
  }

  private static RedisServerBuilder builder(RedisBinary binary, @Nullable String password) {
    RedisServerBuilder builder = RedisServer.builder().binary(binary);
    return password == null ? builder : builder.password(password);
  }

  /** Returns a URL that names every Sentinel, without passwords. */
  public String url() {
    return sentinels.stream()
        .map(sentinel -> RedisServer.HOST + ":" + sentinel.port())
        .collect(Collectors.joining(",", "redis-sentinel://", "?master=" + MASTER_NAME));
  }

  /** Returns the server that the Sentinels hold to be the master. */
  public RedisServer master() {
    String port = masterField(sentinels.get(0), "port");
    return servers.stream()
        .filter(server -> String.valueOf(server.port()).equals(port))
        .findFirst()
        .orElseThrow();
  }

  /** Returns all servers, in the order in which they were started. */
  public List<RedisServer> servers() {
    return List.copyOf(servers);
  }

  /** Returns the Sentinels. */
  public List<RedisServer> sentinels() {
    return List.copyOf(sentinels);
  }

  /** Returns those that are not the master, whether they run or not. */
  public List<RedisServer> replicas() {
    RedisServer master = master();
    return servers.stream().filter(server -> server != master).toList();
  }

  /**
   * Makes the Sentinels promote a replica while the master lives on. They give up if the replica
   * takes its time, and do not try again by themselves as long as the master is well: so they are
   * asked again.
   */
  public void switchFrom(RedisServer master) {
    Waiting.until(
        "the Sentinels have replaced a living master",
        () -> {
          if (master() == master) {
            askForFailOver();
          }
          return agreeOnAnotherThan(master);
        });
    awaitOtherMaster(master);
  }

  /** Asks for a failover, unless one is in progress. */
  private void askForFailOver() {
    try {
      sentinels.get(0).command("SENTINEL", "FAILOVER", MASTER_NAME);
    } catch (RedisErrorException refused) {
      if (!String.valueOf(refused.getMessage()).startsWith("INPROG")) {
        throw refused;
      }
    }
  }

  /** Waits until all servers run, one of them as the master, which the others follow. */
  public void awaitWhole() {
    Waiting.until(
        "there are a master and its replicas",
        () -> {
          RedisServer master = master();
          return sentinels.stream()
                  .allMatch(
                      sentinel ->
                          masterField(sentinel, "port").equals(String.valueOf(master.port())))
              && replicas().stream().allMatch(master::isFollowedBy)
              && seenAsReplicas(master);
        });
  }

  /**
   * Whether each Sentinel has seen the others follow this master. One that has not may still send
   * an old master the order to follow it, and that order may arrive after the master was killed and
   * the old one promoted: then the Sentinels have a master that follows a dead server, and find no
   * replica fit to replace it.
   */
  private boolean seenAsReplicas(RedisServer master) {
    String port = String.valueOf(master.port());
    return sentinels.stream()
        .map(
            sentinel ->
                (List<?>) requireNonNull(sentinel.command("SENTINEL", "REPLICAS", MASTER_NAME)))
        .allMatch(
            replicas ->
                replicas.stream()
                    .map(replica -> (List<?>) replica)
                    .allMatch(
                        replica ->
                            field(replica, "role-reported").equals("slave")
                                && field(replica, "master-port").equals(port)));
  }

  /** Kills the master and waits until another one has taken over. */
  public void failOver() {
    RedisServer old = master();
    old.kill();
    awaitOtherMaster(old);
  }

  /**
   * Makes the Sentinels promote a replica while the old master, soon itself a replica, lives on.
   */
  public void switchMaster() {
    RedisServer old = master();
    switchFrom(old);
    awaitWhole();
  }

  /** Waits until another server than this one is the master, and all Sentinels know. */
  public void awaitOtherMaster(RedisServer old) {
    Waiting.until("the Sentinels agree on another master", () -> agreeOnAnotherThan(old));
    Waiting.until(
        "the other master knows that it is",
        () -> "master".equals(master().info("replication").get("role")));
  }

  private boolean agreeOnAnotherThan(RedisServer old) {
    String oldPort = String.valueOf(old.port());
    return sentinels.stream().noneMatch(sentinel -> masterField(sentinel, "port").equals(oldPort));
  }

  private static String masterField(RedisServer sentinel, String field) {
    return field(
        (List<?>) requireNonNull(sentinel.command("SENTINEL", "MASTER", MASTER_NAME)), field);
  }

  private static String field(List<?> reply, String field) {
    return String.valueOf(reply.get(reply.indexOf(field) + 1));
  }

  @Override
  public void close() {
    Stream.concat(sentinels.stream(), servers.stream()).forEach(RedisServer::close);
  }
}
