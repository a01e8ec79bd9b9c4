package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ServerCertificate;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Wherever an application says where its Redis is, the locks are there. Runs with each Boot. */
class ApplicationRedisTest {

  /** The application's own auto-configurations, by the names of Spring Boot 3 and 4. */
  private final ApplicationContextRunner redis =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  present(
                      "org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration",
                      "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
                      "org.springframework.boot.data.redis.autoconfigure"
                          + ".DataRedisAutoConfiguration")));

  private static Class<?>[] present(String... names) {
    return Stream.of(names)
        .filter(name -> ClassUtils.isPresent(name, null))
        .map(name -> ClassUtils.resolveClassName(name, null))
        .toArray(Class<?>[]::new);
  }

  private static String login(RedisURI uri) {
    RedisCredentials credentials = uri.getCredentialsProvider().resolveCredentials().block();
    return credentials.getUsername() + ":" + String.valueOf(credentials.getPassword());
  }

  @Test
  void addressAndCredentialsAreTheApplications() {
    redis
        .withPropertyValues(
            "spring.data.redis.host=redis.example.org",
            "spring.data.redis.port=7000",
            "spring.data.redis.database=3",
            "spring.data.redis.username=shop",
            "spring.data.redis.password=secret",
            "spring.data.redis.timeout=7s")
        .run(
            context -> {
              RedisURI uri = ApplicationRedis.uri(context.getBean(LettuceConnectionFactory.class));
              assertThat(uri.getHost()).isEqualTo("redis.example.org");
              assertThat(uri.getPort()).isEqualTo(7000);
              assertThat(uri.getDatabase()).isEqualTo(3);
              assertThat(login(uri)).isEqualTo("shop:secret");
              assertThat(uri.getTimeout()).hasSeconds(7);
              assertThat(uri.isSsl()).isFalse();
            });
  }

  @Test
  void tlsIsTheApplications() {
    redis
        .withPropertyValues(
            "spring.data.redis.host=redis.example.org", "spring.data.redis.ssl.enabled=true")
        .run(
            context -> {
              RedisURI uri = ApplicationRedis.uri(context.getBean(LettuceConnectionFactory.class));
              assertThat(uri.isSsl()).isTrue();
              assertThat(uri.getVerifyMode()).isEqualTo(SslVerifyMode.FULL);
            });
  }

  @Test
  void sentinelsAreTheApplications() {
    redis
        .withPropertyValues(
            "spring.data.redis.sentinel.master=main",
            "spring.data.redis.sentinel.nodes=one:26379,two:26380",
            "spring.data.redis.sentinel.username=watch",
            "spring.data.redis.sentinel.password=watching",
            "spring.data.redis.password=secret",
            "spring.data.redis.database=2")
        .run(
            context -> {
              RedisURI uri = ApplicationRedis.uri(context.getBean(LettuceConnectionFactory.class));
              assertThat(uri.getSentinelMasterId()).isEqualTo("main");
              assertThat(uri.getDatabase()).isEqualTo(2);
              assertThat(login(uri)).isEqualTo("null:secret");
              assertThat(uri.getSentinels())
                  .extracting(RedisURI::getHost)
                  .containsExactlyInAnyOrder("one", "two");
              assertThat(uri.getSentinels())
                  .allSatisfy(
                      sentinel -> {
                        assertThat(login(sentinel)).isEqualTo("watch:watching");
                      });
            });
  }

  @Test
  void theNodesOfAClusterAreTheApplications() {
    redis
        .withPropertyValues(
            "spring.data.redis.cluster.nodes=one:7001,two:7002",
            "spring.data.redis.password=secret")
        .run(
            context -> {
              List<RedisURI> nodes =
                  ApplicationRedis.clusterUris(context.getBean(LettuceConnectionFactory.class));
              assertThat(nodes)
                  .extracting(RedisURI::getHost)
                  .containsExactlyInAnyOrder("one", "two");
              assertThat(nodes)
                  .allSatisfy(node -> assertThat(login(node)).isEqualTo("null:secret"));
            });
  }

  /** As of {@code @ServiceConnection}: connection details come before properties. */
  @Test
  void connectionDetailsComeBeforeProperties() {
    Class<?> type =
        present(
            "org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails")[0];
    with(type)
        .withPropertyValues("spring.data.redis.host=property.example.org")
        .run(
            context -> {
              RedisURI uri = ApplicationRedis.uri(context.getBean(LettuceConnectionFactory.class));
              assertThat(uri.getHost()).isEqualTo("details.example.org");
              assertThat(uri.getPort()).isEqualTo(7001);
            });
  }

  private <T> ApplicationContextRunner with(Class<T> type) {
    return redis.withBean(type, () -> type.cast(details(type, "details.example.org", 7001)));
  }

  /** Makes connection details, whose type has another name in each generation. */
  private static Object details(Class<?> type, String host, int port) {
    Class<?> standalone = ClassUtils.resolveClassName(type.getName() + "$Standalone", null);
    Object place =
        ReflectionUtils.invokeMethod(
            ReflectionUtils.findMethod(standalone, "of", String.class, int.class),
            null,
            host,
            port);
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "getStandalone" -> place;
              case "hashCode" -> System.identityHashCode(proxy);
              case "equals" -> proxy == arguments[0];
              case "toString" -> "details";
              default -> InvocationHandler.invokeDefault(proxy, method, arguments);
            });
  }

  @Test
  void aBundleOfCertificatesIsUsed() {
    try (RedisServer server = RedisServer.builder().tls().password("secret").start()) {
      ServerCertificate certificate = server.certificate().orElseThrow();
      redis
          .withConfiguration(AutoConfigurations.of(LockkeeperAutoConfiguration.class))
          .withPropertyValues(
              "spring.data.redis.host=" + RedisServer.HOST,
              "spring.data.redis.port=" + server.port(),
              "spring.data.redis.password=secret",
              "spring.data.redis.ssl.bundle=redis",
              "spring.ssl.bundle.pem.redis.truststore.certificate="
                  + certificate.certificatePem().toUri())
          .run(
              context -> {
                assertThat(context).hasNotFailed();
                Lockkeeper keeper = context.getBean(Lockkeeper.class);
                assertThat(keeper.ping(Duration.ofSeconds(30))).isPositive();
              });
    }
  }
}
