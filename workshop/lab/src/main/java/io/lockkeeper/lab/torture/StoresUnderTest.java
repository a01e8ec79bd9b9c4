package io.lockkeeper.lab.torture;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.process.Folders;
import io.lockkeeper.lab.torture.StoreUnderTest.Address;
import io.lockkeeper.lab.torture.StoreUnderTest.Trait;
import io.lockkeeper.servers.EtcdEnsemble;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.servers.EtcdServerBuilder;
import io.lockkeeper.servers.MariaDbServer;
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
import io.lockkeeper.servers.ServerStartException;
import io.lockkeeper.servers.SqlServerBuilder;
import io.lockkeeper.servers.ZooKeeperEnsemble;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.servers.ZooKeeperServerBuilder;
import io.lockkeeper.servers.net.PrivateNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The stores that can be started for a run. */
final class StoresUnderTest {

  /** Lease, heartbeat of those who wait, and some. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(6);

  private static final Duration AFTER_SESSIONS = Duration.ofSeconds(12);
  private static final Duration AFTER_FAILOVERS = Duration.ofSeconds(9);
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
    return switch (kind) {
      case "redis" -> redis(store, more);
      case "redis-sentinel" -> sentinel(store, more);
      case "redis-cluster" -> cluster(store, more);
      case "zookeeper" -> zooKeeper(store, more);
      case "zookeeper-ensemble" -> ensemble(store, more);
      case "etcd" -> etcd(store, more);
      case "etcd-ensemble" -> etcdEnsemble(store, more);
      case "postgresql" -> postgres(store, more);
      case "postgresql-pgbouncer" -> pgBouncer(store, more);
      case "postgresql-standby" -> standby(store, more);
      case "mariadb" -> mySqlLike(store, more, MariaDbServer.builder());
      case "mysql" -> mySqlLike(store, more, MySqlServer.builder());
      case "sqlite" -> sqlite(store, more);
      default -> {
        if (store.startsWith("memory:")) {
          throw new CannotRunException("each worker would have a memory store of its own");
        }
        yield plain(store, store, LeftoverCheck.NONE, () -> {});
      }
    };
  }

  /** Adds parameters to a URL. */
  static String with(String url, String parameters) {
    if (parameters.isEmpty()) {
      return url;
    }
    return url + (url.contains("?") ? "&" : "?") + parameters;
  }

  private static StoreUnderTest plain(
      String name, String url, LeftoverCheck remains, AutoCloseable server) {
    return new StoreUnderTest(
        name, url, List.of(), Optional.empty(), Set.of(), AFTERWARDS, remains, server);
  }

  private static StoreUnderTest redis(String name, String more) {
    RedisServer server = RedisServer.builder().appendOnly().start();
    return new StoreUnderTest(
        name,
        with(server.url(), more),
        List.of(Address.here(server.port())),
        Optional.of(new SingleRedis(server)),
        forgetful(more),
        AFTERWARDS,
        new RedisRemains(() -> List.of(server)),
        server);
  }

  private static Set<Trait> forgetful(String more) {
    Set<Trait> traits = EnumSet.of(Trait.FORGETFUL, Trait.PUSHES);
    if (more.contains("afterLoss=grant")) {
      traits.add(Trait.FORGETS_AT_LOSS);
    } else if (!more.contains("afterLoss=wait")) {
      traits.add(Trait.ASKS);
    }
    return traits;
  }

  private static StoreUnderTest sentinel(String name, String more) {
    Clocks clocks = new Clocks();
    RedisSentinelGroup group = RedisSentinelGroup.start(RedisBinary.preferred(), clocks);
    return new StoreUnderTest(
        name,
        with(group.url(), more),
        List.of(), // the Sentinels tell where the servers are, and not where a way to them is
        Optional.of(new SentinelControl(group, clocks)),
        replicated(more, SENTINEL_REPLICAS),
        AFTER_FAILOVERS,
        new RedisRemains(() -> List.of(group.master())),
        both(group, clocks));
  }

  private static StoreUnderTest cluster(String name, String more) {
    Clocks clocks = new Clocks();
    RedisCluster cluster = RedisCluster.startWithReplicas(RedisBinary.preferred(), clocks);
    return new StoreUnderTest(
        name,
        with(cluster.url(), more),
        List.of(), // the nodes tell where the others are
        Optional.of(new ClusterControl(cluster, clocks)),
        replicated(more, CLUSTER_REPLICAS),
        AFTER_FAILOVERS,
        new RedisRemains(cluster::mastersNow),
        both(cluster, clocks));
  }

  private static AutoCloseable both(AutoCloseable servers, Clocks clocks) {
    return () -> {
      try (clocks) {
        servers.close();
      }
    };
  }

  private static Set<Trait> replicated(String more, int candidates) {
    Matcher matcher = REPLICAS.matcher(more);
    int confirming = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    return replicated(confirming < candidates ? Set.of(Trait.FORGETS_AT_FAILOVER) : Set.of());
  }

  private static Set<Trait> replicated(Set<Trait> more) {
    Set<Trait> traits = EnumSet.of(Trait.FOLLOWERS, Trait.REPLICAS);
    traits.addAll(more);
    if (Clocks.isAvailable()) {
      traits.add(Trait.CLOCKS);
    }
    return traits;
  }

  private static StoreUnderTest zooKeeper(String name, String more) {
    ZooKeeperServer server = ZooKeeperServer.builder().durable().start();
    return new StoreUnderTest(
        name,
        with(with(server.url(), SESSIONS), more),
        List.of(Address.here(server.port())),
        Optional.of(new Control.OfOne(server, server::restart)),
        EnumSet.of(Trait.REQUESTS),
        AFTER_SESSIONS,
        new ZooKeeperRemains(server.connectString()),
        server);
  }

  private static StoreUnderTest ensemble(String name, String more) {
    ZooKeeperServerBuilder builder = ZooKeeperServer.builder().durable();
    Set<Trait> traits = EnumSet.of(Trait.FOLLOWERS, Trait.MEMBERS, Trait.REQUESTS);
    if (PrivateNetwork.obstacle().isEmpty()) {
      builder.ownNetwork();
      traits.add(Trait.LINKS);
    }
    ZooKeeperEnsemble ensemble = builder.startEnsemble();
    return new StoreUnderTest(
        name,
        with(with(with(ensemble.url(), SESSIONS), PATIENCE), more),
        ensemble.servers().stream().map(it -> new Address(it.address(), it.port())).toList(),
        Optional.of(new EnsembleControl<>(ensemble)),
        traits,
        AFTER_SESSIONS,
        new ZooKeeperRemains(ensemble.connectString()),
        ensemble);
  }

  private static StoreUnderTest etcd(String name, String more) {
    EtcdServer server = EtcdServer.start();
    return new StoreUnderTest(
        name,
        with(server.url(), more),
        List.of(Address.here(server.port())),
        Optional.of(new Control.OfOne(server, server::restart)),
        EnumSet.noneOf(Trait.class),
        AFTER_SESSIONS,
        new EtcdRemains(() -> server),
        server);
  }

  private static StoreUnderTest etcdEnsemble(String name, String more) {
    EtcdServerBuilder builder = EtcdServer.builder();
    Set<Trait> traits = EnumSet.of(Trait.FOLLOWERS, Trait.MEMBERS, Trait.LEASES);
    if (PrivateNetwork.obstacle().isEmpty()) {
      builder.ownNetwork();
      traits.add(Trait.LINKS);
    }
    EtcdEnsemble ensemble = builder.startEnsemble();
    return new StoreUnderTest(
        name,
        with(ensemble.url(), more),
        ensemble.servers().stream().map(it -> new Address(it.address(), it.port())).toList(),
        Optional.of(new EtcdControl(ensemble)),
        traits,
        AFTER_SESSIONS,
        new EtcdRemains(ensemble::leader),
        ensemble);
  }

  private static StoreUnderTest postgres(String name, String more) {
    PostgresServer server = PostgresServer.builder().durable().start();
    return new StoreUnderTest(
        name,
        with(server.jdbcUrl(), more),
        List.of(Address.here(server.port())),
        Optional.of(new SqlControl(server, server.jdbcUrl(), null)),
        EnumSet.of(Trait.READ_ONLY, Trait.SCHEMAS),
        AFTERWARDS,
        new SqlRemains(server.jdbcUrl()),
        server);
  }

  private static StoreUnderTest pgBouncer(String name, String more) {
    PostgresServer server = PostgresServer.builder().durable().start();
    PgBouncerServer pooler = PgBouncerServer.start(server, Mode.TRANSACTION, POOL_SIZE);
    pooler.reload(Mode.TRANSACTION, POOL_SIZE, POOLER_RETRY);
    return new StoreUnderTest(
        name,
        with(pooler.jdbcUrl(), more),
        List.of(Address.here(pooler.port())),
        Optional.of(new SqlControl(server, server.jdbcUrl(), pooler)),
        EnumSet.of(Trait.READ_ONLY, Trait.SCHEMAS, Trait.POOLER),
        AFTERWARDS,
        new SqlRemains(server.jdbcUrl()),
        () -> {
          try (server) {
            pooler.close();
          }
        });
  }

  private static StoreUnderTest mySqlLike(
      String name, String more, SqlServerBuilder<? extends MySqlLikeServer> builder) {
    MySqlLikeServer server = builder.durable().start();
    String adminUrl = server.mariaDbUrl();
    DatabaseControl.run(
        adminUrl,
        "create user " + APP,
        "grant all on " + MySqlLikeServer.DATABASE + ".* to " + APP);
    String url = adminUrl.replace("user=" + MySqlLikeServer.USER, "user=" + APP);
    return new StoreUnderTest(
        name,
        with(url, more),
        List.of(Address.here(server.port())),
        Optional.of(new SqlControl(server, adminUrl, null)),
        EnumSet.of(Trait.READ_ONLY),
        AFTERWARDS,
        new SqlRemains(url),
        server);
  }

  /** Commits wait for the standby if the clients' settings say so. */
  private static StoreUnderTest standby(String name, String more) {
    boolean isSynchronous = List.of(more.split("&")).contains(SYNCHRONOUS);
    Clocks clocks = new Clocks();
    PostgresPair pair =
        PostgresPair.start(
            ofPair(isSynchronous, clocks.get()), ofPair(isSynchronous, clocks.get()));
    Set<Trait> traits =
        replicated(isSynchronous ? Set.of() : Set.of(Trait.FORGETS_VALUES_AT_FAILOVER));
    traits.addAll(Set.of(Trait.READ_ONLY, Trait.SCHEMAS));
    return new StoreUnderTest(
        name,
        with(pair.jdbcUrl(), more),
        pair.servers().stream().map(it -> Address.here(it.port())).toList(),
        Optional.of(new StandbyControl(pair, clocks)),
        traits,
        AFTER_FAILOVERS,
        new SqlRemains(pair.jdbcUrl()),
        both(pair, clocks));
  }

  private static SqlServerBuilder<PostgresServer> ofPair(
      boolean isSynchronous, Map<String, String> clock) {
    return PostgresServer.builder()
        .durable()
        .environment(clock)
        .option("synchronous_standby_names", isSynchronous ? PostgresPair.STANDBY_NAME : "");
  }

  private static StoreUnderTest sqlite(String name, String more) {
    try {
      Path folder = Files.createTempDirectory("lockkeeper-torture-");
      String url = "jdbc:sqlite:" + folder.resolve("torture.db");
      return plain(name, with(url, more), new SqlRemains(url), () -> Folders.delete(folder));
    } catch (IOException e) {
      throw new ServerStartException("no temporary folder: " + e.getMessage(), e);
    }
  }
}
