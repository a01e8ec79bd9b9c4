package io.lockkeeper.lab.torture;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.process.Folders;
import io.lockkeeper.lab.torture.StoreUnderTest.Address;
import io.lockkeeper.servers.ChildServer;
import io.lockkeeper.servers.EtcdEnsemble;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.servers.EtcdServerBuilder;
import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.MemberServer;
import io.lockkeeper.servers.MySqlLikeServer;
import io.lockkeeper.servers.MySqlServer;
import io.lockkeeper.servers.PgBouncerServer;
import io.lockkeeper.servers.PgBouncerServer.Mode;
import io.lockkeeper.servers.PostgresPair;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisSentinelGroup;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ServerEnsemble;
import io.lockkeeper.servers.ServerStartException;
import io.lockkeeper.servers.SqlServerBuilder;
import io.lockkeeper.servers.ZooKeeperEnsemble;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.servers.ZooKeeperServerBuilder;
import io.lockkeeper.servers.fault.TcpProxy;
import io.lockkeeper.servers.net.PrivateNetwork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The stores that can be started for a run. */
final class StoresUnderTest {

  private static final Duration AFTER_SESSIONS = Duration.ofSeconds(12);
  private static final String SESSIONS = "sessionTimeout=4s";

  /** So short that clients leave a server that falls silent for a while. */
  private static final String PATIENCE = "timeout=1s";

  /** So few that clients share them. */
  private static final int POOL_SIZE = 4;

  /** How long a pooler that has found no server takes to try again; its default is 15 seconds. */
  private static final String POOLER_RETRY = "server_login_retry = 1";

  /** One that a read-only server does not except. */
  private static final String APP = "app";

  /** How many replicas may take over from a master. */
  private static final int SENTINEL_REPLICAS = 2;

  private static final int CLUSTER_REPLICAS = 1;
  private static final String SYNCHRONOUS = "lockkeeper.replication=synchronous";
  private static final Pattern REPLICAS = Pattern.compile("(?:.*&)?replicas=(\\d+)(?:&.*)?");

  /** Keys of Redis that stay for good: the server has not lost its memory. */
  private static final Set<String> MARKS = Set.of("mark", "names");

  private static final Duration FIRST_LIMIT = Duration.ofSeconds(20);

  private StoresUnderTest() {}

  /**
   * Starts a store of this kind, or uses the one at this URL.
   *
   * @param store the kind, with more parameters of its URL behind a question mark; or a URL
   * @throws ServerStartException if this machine does not have it
   */
  static StoreUnderTest open(String store) {
    int mark = store.indexOf('?');
    String kind = mark < 0 ? store : store.substring(0, mark);
    String more = mark < 0 ? "" : store.substring(mark + 1);
    StoreUnderTest opened =
        switch (kind) {
          case "redis" -> redis(more);
          case "redis-sentinel" -> sentinel(more);
          case "redis-cluster" -> cluster(more);
          case "zookeeper" -> zooKeeper();
          case "zookeeper-ensemble" -> zooKeeperEnsemble();
          case "etcd" -> etcd();
          case "etcd-ensemble" -> etcdEnsemble();
          case "postgresql" -> postgres();
          case "postgresql-pgbouncer" -> pgBouncer();
          case "postgresql-standby" -> standby(List.of(more.split("&")).contains(SYNCHRONOUS));
          case "mariadb" -> mySqlLike(MariaDbServer.builder());
          case "mysql" -> mySqlLike(MySqlServer.builder());
          case "sqlite" -> sqlite();
          default -> {
            if (store.startsWith("memory:")) {
              throw new CannotRunException("each worker would have a memory store of its own");
            }
            yield new StoreUnderTest(store);
          }
        };
    boolean isStarted = !opened.url().equals(store);
    return opened.named(store, isStarted ? more : "");
  }

  static String with(String url, String parameters) {
    if (parameters.isEmpty()) {
      return url;
    }
    return url + (url.contains("?") ? "&" : "?") + parameters;
  }

  /** Adds what can be done to one server that keeps its data. */
  private static StoreUnderTest oneServer(
      StoreUnderTest store, ChildServer server, Runnable restart) {
    return store
        .can(Fault.KILL_SERVER, server::kill, restart)
        .can(Fault.FREEZE_SERVER, server::freeze, server::thawIfFrozen);
  }

  private static StoreUnderTest redis(String more) {
    RedisServer server = RedisServer.builder().appendOnly().start();
    StoreUnderTest store =
        new StoreUnderTest(server.url(), server)
            .at(server.port())
            .with(TcpProxy::ofRedis, Fault.LOST_PUSH, Fault.LOST_REPLY)
            .can(Fault.WIPE_SERVER, server::kill, () -> server.restart(RedisServer.Data.LOST))
            .leaving(namespace -> keysWithoutEnd(List.of(server), namespace));
    boolean asks = !more.contains("afterLoss=");
    store.asks = asks;
    if (more.contains("afterLoss=grant")) {
      store.forgetting(
          EventKind.MAY_FORGET, Set.of(Fault.WIPE_SERVER, Fault.YOUNG_SERVER)); // waits for nobody
    }
    store.can(Fault.YOUNG_SERVER, server::kill, () -> restartEmpty(server, asks));
    return oneServer(store, server, () -> server.restart(RedisServer.Data.KEPT));
  }

  private static void restartEmpty(RedisServer server, boolean awaitsFirstClient) {
    server.restart(RedisServer.Data.LOST);
    if (awaitsFirstClient) {
      Workers.await(FIRST_LIMIT, () -> !keys(server, "*:mark").isEmpty());
    }
  }

  private static List<?> keys(RedisServer server, String pattern) {
    return (List<?>) Objects.requireNonNull(server.command("KEYS", pattern));
  }

  private static List<String> keysWithoutEnd(List<RedisServer> servers, String namespace) {
    return servers.stream()
        .flatMap(
            server ->
                keys(server, namespace + ":*").stream()
                    .map(String.class::cast)
                    .filter(key -> !MARKS.contains(key.substring(namespace.length() + 1)))
                    .filter(key -> Objects.equals(server.command("PTTL", key), -1L)))
        .map(key -> "the key " + key)
        .toList();
  }

  private static StoreUnderTest sentinel(String more) {
    Clocks clocks = new Clocks();
    RedisSentinelGroup group = RedisSentinelGroup.start(RedisBinary.preferred(), clocks);
    // The Sentinels tell where the servers are, and not where a way to them is.
    StoreUnderTest store =
        new StoreUnderTest(group.url(), clocks, group)
            .leaving(namespace -> keysWithoutEnd(List.of(group.master()), namespace));
    ReplicatedRedis.of(group, clocks).to(store);
    return replicated(store, more, SENTINEL_REPLICAS);
  }

  private static StoreUnderTest cluster(String more) {
    Clocks clocks = new Clocks();
    RedisCluster cluster = RedisCluster.startWithReplicas(RedisBinary.preferred(), clocks);
    // The nodes tell where the others are.
    StoreUnderTest store =
        new StoreUnderTest(cluster.url(), clocks, cluster)
            .leaving(namespace -> keysWithoutEnd(cluster.mastersNow(), namespace));
    ReplicatedRedis.of(cluster, clocks).to(store);
    return replicated(store, more, CLUSTER_REPLICAS);
  }

  private static StoreUnderTest replicated(StoreUnderTest store, String more, int candidates) {
    Matcher matcher = REPLICAS.matcher(more);
    int confirming = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    store.failsOver();
    return confirming < candidates
        ? store.forgetting(EventKind.MAY_FORGET, Fault.FAILOVERS)
        : store;
  }

  private static StoreUnderTest zooKeeper() {
    ZooKeeperServer server = ZooKeeperServer.builder().durable().start();
    StoreUnderTest store =
        new StoreUnderTest(with(server.url(), SESSIONS), server)
            .at(server.port())
            .with(TcpProxy::ofZooKeeper, Fault.SLOW_LIST, Fault.SLOW_READ, Fault.SLOW_WRITE)
            .recoveringIn(AFTER_SESSIONS);
    return oneServer(store, server, server::restart);
  }

  private static StoreUnderTest zooKeeperEnsemble() {
    ZooKeeperServerBuilder builder = ZooKeeperServer.builder().durable();
    if (PrivateNetwork.obstacle().isEmpty()) {
      builder.ownNetwork();
    }
    ZooKeeperEnsemble ensemble = builder.startEnsemble();
    StoreUnderTest store =
        new StoreUnderTest(with(ensemble.url(), SESSIONS + "&" + PATIENCE), ensemble)
            .at(addresses(ensemble))
            .with(
                TcpProxy::ofZooKeeper,
                Fault.SILENT_LINK,
                Fault.SLOW_LIST,
                Fault.SLOW_READ,
                Fault.SLOW_WRITE)
            .recoveringIn(AFTER_SESSIONS);
    return new Members<>(ensemble).to(store);
  }

  private static List<Address> addresses(ServerEnsemble<? extends MemberServer> ensemble) {
    return ensemble.servers().stream().map(it -> new Address(it.address(), it.port())).toList();
  }

  private static StoreUnderTest etcd() {
    EtcdServer server = EtcdServer.start();
    StoreUnderTest store =
        new StoreUnderTest(server.url(), server).at(server.port()).recoveringIn(AFTER_SESSIONS);
    return oneServer(store, server, server::restart);
  }

  private static StoreUnderTest etcdEnsemble() {
    EtcdServerBuilder builder = EtcdServer.builder();
    if (PrivateNetwork.obstacle().isEmpty()) {
      builder.ownNetwork();
    }
    EtcdEnsemble ensemble = builder.startEnsemble();
    StoreUnderTest store =
        new StoreUnderTest(ensemble.url(), ensemble)
            .at(addresses(ensemble))
            .with(TcpProxy::new, Fault.SILENT_LINK)
            .can(Fault.COMPACT, () -> ensemble.leader().compact(), () -> {})
            .can(Fault.REVOKE_LEASES, () -> ensemble.leader().revokeLeases(), () -> {})
            .recoveringIn(AFTER_SESSIONS);
    return new Members<>(ensemble).to(store);
  }

  private static StoreUnderTest postgres() {
    PostgresServer server = PostgresServer.builder().durable().start();
    StoreUnderTest store = new StoreUnderTest(server.jdbcUrl(), server).at(server.port());
    return Databases.postgres(oneServer(store, server, server::restart), server::jdbcUrl);
  }

  private static StoreUnderTest pgBouncer() {
    PostgresServer server = PostgresServer.builder().durable().start();
    PgBouncerServer pooler = PgBouncerServer.start(server, Mode.TRANSACTION, POOL_SIZE);
    pooler.reload(Mode.TRANSACTION, POOL_SIZE, POOLER_RETRY);
    StoreUnderTest store =
        new StoreUnderTest(pooler.jdbcUrl(), server, pooler)
            .at(pooler.port())
            .can(Fault.KILL_POOLER, pooler::kill, pooler::restart)
            .can(Fault.PAUSE_POOLER, pooler::pause, pooler::resume);
    return Databases.postgres(oneServer(store, server, server::restart), server::jdbcUrl);
  }

  private static StoreUnderTest mySqlLike(SqlServerBuilder<? extends MySqlLikeServer> builder) {
    MySqlLikeServer server = builder.durable().start();
    String adminUrl = server.mariaDbUrl();
    Databases.run(
        adminUrl,
        "create user " + APP,
        "grant all on " + MySqlLikeServer.DATABASE + ".* to " + APP);
    String url = adminUrl.replace("user=" + MySqlLikeServer.USER, "user=" + APP);
    StoreUnderTest store = new StoreUnderTest(url, server).at(server.port());
    return Databases.readOnly(oneServer(store, server, server::restart), adminUrl);
  }

  /** Commits wait for the standby if the clients' settings say so. */
  private static StoreUnderTest standby(boolean isSynchronous) {
    Clocks clocks = new Clocks();
    PostgresPair pair =
        PostgresPair.start(
            ofPair(isSynchronous, clocks.get()), ofPair(isSynchronous, clocks.get()));
    StoreUnderTest store =
        new StoreUnderTest(pair.jdbcUrl(), clocks, pair)
            .at(pair.servers().stream().map(it -> new Address(Network.HERE, it.port())).toList())
            .failsOver();
    if (!isSynchronous) {
      store.forgetting(EventKind.MAY_FORGET_VALUES, Fault.FAILOVERS);
    }
    new Databases.Standby(pair, clocks).to(store);
    return Databases.postgres(store, () -> pair.primary().jdbcUrl());
  }

  private static SqlServerBuilder<PostgresServer> ofPair(
      boolean isSynchronous, Map<String, String> clock) {
    return PostgresServer.builder()
        .durable()
        .environment(clock)
        .option("synchronous_standby_names", isSynchronous ? PostgresPair.STANDBY_NAME : "");
  }

  private static StoreUnderTest sqlite() {
    Path folder = Folders.temporary("lockkeeper-torture-");
    return new StoreUnderTest(
        "jdbc:sqlite:" + folder.resolve("torture.db"), () -> Folders.delete(folder));
  }
}
