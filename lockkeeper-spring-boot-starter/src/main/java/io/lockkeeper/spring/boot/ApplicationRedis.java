package io.lockkeeper.spring.boot;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lockkeeper.redis.RedisStores;
import org.jspecify.annotations.Nullable;
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
 * The Redis that the application has, through the client that it has. Whatever says where that is
 * ({@code spring.data.redis.*}, connection details, SSL bundles) has ended up in the factory, whose
 * type is the same with every Spring Boot.
 */
final class ApplicationRedis {

  private ApplicationRedis() {}

  static RedisStores stores(LettuceConnectionFactory factory) {
    AbstractRedisClient client = factory.getRequiredNativeClient();
    if (client instanceof RedisClusterClient cluster) {
      return RedisStores.from(cluster, clusterUri(factory));
    }
    if (client instanceof RedisClient single) {
      return RedisStores.from(single, uri(factory));
    }
    throw new IllegalStateException("a Redis client of an unknown kind: " + client.getClass());
  }

  private static RedisURI clusterUri(LettuceConnectionFactory factory) {
    RedisClusterConfiguration configuration = factory.getClusterConfiguration();
    RedisURI.Builder builder = RedisURI.builder();
    if (configuration != null) {
      RedisNode node = configuration.getClusterNodes().iterator().next();
      builder = RedisURI.builder().withHost(host(node)).withPort(port(node));
    }
    return finish(builder, factory, configuration);
  }

  private static RedisURI uri(LettuceConnectionFactory factory) {
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
