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
import io.lockkeeper.redis.RedisStores;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.NamedNode;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The Redis that the application has, through a client of Lockkeeper's own that is made like the
 * application's. Whatever says where it is ({@code spring.data.redis.*}, connection details, SSL
 * bundles) has ended up in the factory, whose type is the same with every Spring Boot.
 *
 * <p>The factory's own client would not do: the factory shuts it down and makes another one when
 * the context is paused and goes on, as Spring Framework 7 does with contexts in the cache of
 * tests.
 */
final class ApplicationRedis implements LockkeeperConnectionDetails, DisposableBean {

  private final LettuceConnectionFactory factory;
  private @Nullable AbstractRedisClient client;

  ApplicationRedis(LettuceConnectionFactory factory) {
    this.factory = factory;
  }

  @Override
  public Lockkeeper connect(LockkeeperBuilder builder) {
    return builder.connect(stores());
  }

  private RedisStores stores() {
    ClientResources resources = factory.getClientResources();
    ClientOptions options =
        factory.getClientConfiguration().getClientOptions().orElseGet(ClientOptions::create);
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

  @Override
  public void destroy() {
    AbstractRedisClient used = client;
    if (used != null) {
      used.shutdown();
    }
  }

  static List<RedisURI> clusterUris(LettuceConnectionFactory factory) {
    RedisClusterConfiguration configuration = factory.getClusterConfiguration();
    if (configuration == null) {
      throw new IllegalStateException("the cluster is not told which nodes it has");
    }
    List<RedisURI> nodes = new ArrayList<>();
    for (RedisNode node : configuration.getClusterNodes()) {
      RedisURI.Builder builder = RedisURI.builder().withHost(host(node)).withPort(port(node));
      nodes.add(finish(builder, factory, configuration));
    }
    return nodes;
  }

  static RedisURI uri(LettuceConnectionFactory factory) {
    RedisSentinelConfiguration sentinels = factory.getSentinelConfiguration();
    if (sentinels != null) {
      return sentinelUri(factory, sentinels);
    }
    RedisSocketConfiguration socket = factory.getSocketConfiguration();
    if (socket != null) {
      RedisURI.Builder builder =
          RedisURI.Builder.socket(socket.getSocket()).withDatabase(socket.getDatabase());
      return finish(builder, factory, socket);
    }
    RedisStandaloneConfiguration standalone = factory.getStandaloneConfiguration();
    RedisURI.Builder builder =
        RedisURI.builder()
            .withHost(standalone.getHostName())
            .withPort(standalone.getPort())
            .withDatabase(standalone.getDatabase());
    return finish(builder, factory, standalone);
  }

  private static RedisURI sentinelUri(
      LettuceConnectionFactory factory, RedisSentinelConfiguration sentinels) {
    NamedNode master = sentinels.getMaster();
    String name = master == null ? null : master.getName();
    if (name == null) {
      throw new IllegalStateException("the Sentinels are not told which master to ask for");
    }
    RedisURI.Builder builder =
        RedisURI.builder().withSentinelMasterId(name).withDatabase(sentinels.getDatabase());
    String user = sentinels.getSentinelUsername();
    RedisPassword password = sentinels.getSentinelPassword();
    for (RedisNode node : sentinels.getSentinels()) {
      RedisURI.Builder sentinel = RedisURI.builder().withHost(host(node)).withPort(port(node));
      authenticate(sentinel, user, password);
      sentinel
          .withSsl(factory.isUseSsl())
          .withVerifyPeer(factory.getClientConfiguration().getVerifyMode())
          .withStartTls(factory.isStartTls());
      builder.withSentinel(sentinel.build());
    }
    return finish(builder, factory, sentinels);
  }

  private static RedisURI finish(
      RedisURI.Builder builder, LettuceConnectionFactory factory, @Nullable Object configuration) {
    if (configuration instanceof RedisConfiguration.WithAuthentication known) {
      authenticate(builder, known.getUsername(), known.getPassword());
    }
    boolean socket = configuration instanceof RedisSocketConfiguration;
    if (!socket) {
      builder
          .withSsl(factory.isUseSsl())
          .withVerifyPeer(factory.getClientConfiguration().getVerifyMode())
          .withStartTls(factory.isStartTls());
    }
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

  private static String host(RedisNode node) {
    String host = node.getHost();
    return host == null ? "localhost" : host;
  }

  private static int port(RedisNode node) {
    Integer port = node.getPort();
    return port == null ? RedisURI.DEFAULT_REDIS_PORT : port;
  }
}
