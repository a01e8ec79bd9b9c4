package io.lockkeeper.spring.boot;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.redis.AfterLoss;
import io.lockkeeper.redis.RedisStores;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.redis.connection.NamedNode;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import org.springframework.util.ReflectionUtils;

/**
 * The Redis that the application has, through a client of Lockkeeper's own that is made like the
 * application's. Whatever says where it is ({@code spring.data.redis.*}, connection details, SSL
 * bundles, providers of credentials) has ended up in the factory, whose type is the same with every
 * Spring Boot. What cannot be taken over is refused: the factory's own answer would then be {@code
 * localhost:6379}.
 *
 * <p>The factory's own client would not do: the factory shuts it down and makes another one when
 * the context is paused and goes on, as Spring Framework 7 does with contexts in the cache of
 * tests.
 */
final class ApplicationRedis implements LockkeeperConnectionDetails, DisposableBean {

  private final LettuceConnectionFactory factory;
  private final LockkeeperRedisProperties properties;
  private final boolean isThrowaway;
  private @Nullable AbstractRedisClient client;

  private ApplicationRedis(
      LettuceConnectionFactory factory, LockkeeperRedisProperties properties, boolean throwaway) {
    this.factory = factory;
    this.properties = properties;
    this.isThrowaway = throwaway;
  }

  /**
   * Returns the Redis of a connection factory.
   *
   * @throws StartException if the factory cannot be taken over
   */
  static ApplicationRedis of(
      String name,
      RedisConnectionFactory factory,
      LockkeeperRedisProperties properties,
      ListableBeanFactory beans) {
    if (!(factory instanceof LettuceConnectionFactory lettuce)) {
      throw refused(name, "a " + factory.getClass().getName() + "; Lockkeeper needs Lettuce");
    }
    RedisConfiguration configuration = configuration(lettuce);
    boolean isKnown =
        configuration instanceof RedisStandaloneConfiguration
            || configuration instanceof RedisSocketConfiguration
            || configuration instanceof RedisSentinelConfiguration
            || configuration instanceof RedisClusterConfiguration;
    if (configuration instanceof RedisStaticMasterReplicaConfiguration) {
      throw refused(
          name,
          "set to a static list of a master and its replicas, which does not say where the locks"
              + " are after a failover");
    } else if (!isKnown) {
      throw refused(name, "set to a " + configuration.getClass().getName());
    }
    return new ApplicationRedis(lettuce, properties, ContainerRedis.isThrowaway(beans, lettuce));
  }

  private static StartException refused(String name, String what) {
    return new StartException(
        "Lockkeeper cannot use the application's Redis: the RedisConnectionFactory '"
            + name
            + "' is "
            + what
            + ".",
        "Set lockkeeper.url to the address of the Redis that has the locks, such as"
            + " redis://primary.example.org, or choose another store by lockkeeper.store or"
            + " lockkeeper.store-bean.");
  }

  /** Returns what the factory connects to; it tells of some kinds, and not of others. */
  static RedisConfiguration configuration(LettuceConnectionFactory factory) {
    Field field = configurationField();
    if (field == null) {
      throw new IllegalStateException(
          "LettuceConnectionFactory does not say what it connects to; set lockkeeper.url");
    }
    ReflectionUtils.makeAccessible(field);
    return (RedisConfiguration)
        Objects.requireNonNull(ReflectionUtils.getField(field, factory), "configuration");
  }

  private static @Nullable Field configurationField() {
    return ReflectionUtils.findField(
        LettuceConnectionFactory.class, null, RedisConfiguration.class);
  }

  /** For native images. */
  static final class Hints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
      Field field = configurationField();
      if (field != null) {
        hints.reflection().registerField(field);
      }
    }
  }

  @Override
  public Lockkeeper connect(LockkeeperBuilder builder) {
    RedisStores stores = stores();
    // Set first, so that the property has the last word.
    return builder.connect(
        properties.applyTo(isThrowaway ? stores.withAfterLoss(AfterLoss.GRANT) : stores));
  }

  private RedisStores stores() {
    ClientResources resources = factory.getClientResources();
    ClientOptions options = options();
    if (factory.isClusterAware()) {
      List<RedisURI> nodes = clusterUris(factory);
      RedisClusterClient cluster =
          resources == null
              ? RedisClusterClient.create(nodes)
              : RedisClusterClient.create(resources, nodes);
      cluster.setOptions(
          options instanceof ClusterClientOptions known
              ? known
              : ClusterClientOptions.builder(options).build());
      client = cluster;
      return RedisStores.from(cluster, nodes.get(0));
    }
    RedisClient single = resources == null ? RedisClient.create() : RedisClient.create(resources);
    single.setOptions(options);
    client = single;
    return RedisStores.from(single, uri(factory));
  }

  /** The confirmations of replicas can be counted only if nothing is sent again. */
  private ClientOptions options() {
    ClientOptions options =
        factory.getClientConfiguration().getClientOptions().orElseGet(ClientOptions::create);
    return properties.needsReplicas()
        ? options
            .mutate()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .build()
        : options;
  }

  @Override
  public void destroy() {
    AbstractRedisClient used = client;
    if (used != null) {
      used.shutdown();
    }
  }

  static List<RedisURI> clusterUris(LettuceConnectionFactory factory) {
    RedisClusterConfiguration cluster = (RedisClusterConfiguration) configuration(factory);
    List<RedisURI> nodes = new ArrayList<>();
    for (RedisNode node : cluster.getClusterNodes()) {
      nodes.add(finish(at(node), factory, cluster));
    }
    if (nodes.isEmpty()) {
      throw new IllegalStateException("the cluster is not told which nodes it has");
    }
    return nodes;
  }

  static RedisURI uri(LettuceConnectionFactory factory) {
    RedisConfiguration configuration = configuration(factory);
    RedisURI.Builder builder;
    if (configuration instanceof RedisSentinelConfiguration sentinels) {
      builder = sentinels(factory, sentinels);
    } else if (configuration instanceof RedisSocketConfiguration socket) {
      builder = RedisURI.Builder.socket(socket.getSocket());
    } else {
      RedisStandaloneConfiguration server = (RedisStandaloneConfiguration) configuration;
      builder = RedisURI.builder().withHost(server.getHostName()).withPort(server.getPort());
    }
    return finish(builder.withDatabase(factory.getDatabase()), factory, configuration);
  }

  private static RedisURI.Builder sentinels(
      LettuceConnectionFactory factory, RedisSentinelConfiguration sentinels) {
    NamedNode master = sentinels.getMaster();
    String name = master == null ? null : master.getName();
    if (name == null) {
      throw new IllegalStateException("the Sentinels are not told which master to ask for");
    }
    RedisURI.Builder builder = RedisURI.builder().withSentinelMasterId(name);
    Optional<RedisCredentialsProviderFactory> credentials = credentials(factory);
    String user = sentinels.getSentinelUsername();
    RedisPassword password = sentinels.getSentinelPassword();
    for (RedisNode node : sentinels.getSentinels()) {
      RedisURI.Builder sentinel = secure(at(node), factory);
      credentials.ifPresentOrElse(
          provider ->
              sentinel.withAuthentication(provider.createSentinelCredentialsProvider(sentinels)),
          () -> authenticate(sentinel, user, password));
      builder.withSentinel(sentinel.build());
    }
    return builder;
  }

  private static Optional<RedisCredentialsProviderFactory> credentials(
      LettuceConnectionFactory factory) {
    return factory.getClientConfiguration().getRedisCredentialsProviderFactory();
  }

  private static RedisURI.Builder secure(
      RedisURI.Builder builder, LettuceConnectionFactory factory) {
    return builder
        .withSsl(factory.isUseSsl())
        .withVerifyPeer(factory.getClientConfiguration().getVerifyMode())
        .withStartTls(factory.isStartTls());
  }

  private static RedisURI finish(
      RedisURI.Builder builder,
      LettuceConnectionFactory factory,
      RedisConfiguration configuration) {
    Optional<RedisCredentialsProviderFactory> credentials = credentials(factory);
    if (credentials.isPresent()) {
      builder.withAuthentication(credentials.get().createCredentialsProvider(configuration));
    } else if (configuration instanceof RedisConfiguration.WithAuthentication known) {
      authenticate(builder, known.getUsername(), known.getPassword());
    }
    if (!(configuration instanceof RedisSocketConfiguration)) {
      secure(builder, factory);
    }
    factory.getClientConfiguration().getClientName().ifPresent(builder::withClientName);
    return builder.withTimeout(factory.getClientConfiguration().getCommandTimeout()).build();
  }

  private static void authenticate(
      RedisURI.Builder builder, @Nullable String user, RedisPassword password) {
    password
        .toOptional()
        .ifPresent(
            secret -> {
              if (user == null || user.isEmpty()) {
                builder.withPassword(secret);
              } else {
                builder.withAuthentication(user, secret);
              }
            });
  }

  private static RedisURI.Builder at(RedisNode node) {
    String host = node.getHost();
    Integer port = node.getPort();
    return RedisURI.builder()
        .withHost(host == null ? "localhost" : host)
        .withPort(port == null ? RedisURI.DEFAULT_REDIS_PORT : port);
  }
}
