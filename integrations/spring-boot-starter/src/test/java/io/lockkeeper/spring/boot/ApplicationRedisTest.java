package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ServerCertificate;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.lockkeeper.ContainerDetails;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Mono;

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
                assertThat(keeper.admin().ping(Duration.ofSeconds(30))).isPositive();
              });
    }
  }

  private final ApplicationContextRunner locks =
      redis.withConfiguration(AutoConfigurations.of(LockkeeperAutoConfiguration.class));

  private static LettuceConnectionFactory factory(RedisConfiguration configuration) {
    return new LettuceConnectionFactory(
        configuration,
        LettuceClientConfiguration.builder()
            .redisCredentialsProviderFactory(new Rotating())
            .build());
  }

  /** As for passwords that are changed while the application runs. */
  private static final class Rotating implements RedisCredentialsProviderFactory {

    @Override
    public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration configuration) {
      return () -> Mono.just(RedisCredentials.just("app", "rotated"));
    }

    @Override
    public RedisCredentialsProvider createSentinelCredentialsProvider(
        RedisSentinelConfiguration configuration) {
      return () -> Mono.just(RedisCredentials.just("watch", "rotated too"));
    }
  }

  @Test
  void credentialsOfAProviderAreUsed() {
    RedisSentinelConfiguration sentinels =
        new RedisSentinelConfiguration("main", Set.of("one:26379"));

    assertThat(login(ApplicationRedis.uri(factory(new RedisStandaloneConfiguration()))))
        .isEqualTo("app:rotated");
    assertThat(login(ApplicationRedis.uri(factory(sentinels)))).isEqualTo("app:rotated");
    assertThat(ApplicationRedis.uri(factory(sentinels)).getSentinels())
        .allSatisfy(sentinel -> assertThat(login(sentinel)).isEqualTo("watch:rotated too"));
    assertThat(
            ApplicationRedis.clusterUris(
                factory(new RedisClusterConfiguration(List.of("one:7001")))))
        .allSatisfy(node -> assertThat(login(node)).isEqualTo("app:rotated"));
  }

  @Test
  void nameAndSocketAreTheApplications() {
    redis
        .withPropertyValues("spring.data.redis.client-name=shop")
        .run(
            context ->
                assertThat(
                        ApplicationRedis.uri(context.getBean(LettuceConnectionFactory.class))
                            .getClientName())
                    .isEqualTo("shop"));
    RedisSocketConfiguration socket = new RedisSocketConfiguration("/run/redis.sock");
    socket.setDatabase(3);
    RedisURI uri = ApplicationRedis.uri(new LettuceConnectionFactory(socket));
    assertThat(uri.getSocket()).isEqualTo("/run/redis.sock");
    assertThat(uri.getDatabase()).isEqualTo(3);
  }

  @Test
  void aMasterThatNothingNamesIsRefused() {
    RedisStaticMasterReplicaConfiguration list =
        new RedisStaticMasterReplicaConfiguration("redis-1.example.org");
    list.addNode("redis-2.example.org", 6379);

    assertRefused(
        locks.withBean("cache", RedisConnectionFactory.class, () -> factory(list)),
        "'cache'",
        "a static list of a master and its replicas");
  }

  @Test
  void whatIsNotOfLettuceIsRefused() {
    RedisConnectionFactory jedis =
        (RedisConnectionFactory)
            Proxy.newProxyInstance(
                RedisConnectionFactory.class.getClassLoader(),
                new Class<?>[] {RedisConnectionFactory.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "hashCode" -> System.identityHashCode(proxy);
                      case "equals" -> proxy == arguments[0];
                      default -> null;
                    });

    assertRefused(
        locks.withBean("jedis", RedisConnectionFactory.class, () -> jedis),
        "'jedis'",
        jedis.getClass().getName(),
        "Lettuce");
  }

  private static void assertRefused(ApplicationContextRunner application, String... texts) {
    application
        .withPropertyValues("lockkeeper.connect=background")
        .run(
            context -> {
              FailureAnalysis analysis =
                  new StartExceptionAnalyzer().analyze(context.getStartupFailure());
              assertThat(analysis.getDescription()).contains(texts);
              assertThat(analysis.getAction()).contains("lockkeeper.");
            });
  }

  /** A server that has just been started lets the first claims wait, unless it is thrown away. */
  @Test
  void propertiesAreForTheApplicationsRedisAndForAUrl() {
    try (RedisServer server = RedisServer.start()) {
      assertGrantsAtOnce(
          locks.withPropertyValues(
              "spring.data.redis.port=" + server.port(), "lockkeeper.redis.after-loss=grant"));
      server.restart(RedisServer.Data.LOST);
      assertGrantsAtOnce(
          locks.withPropertyValues(
              "lockkeeper.url=" + server.url(), "lockkeeper.redis.after-loss=grant"));
      locks
          .withPropertyValues(
              "spring.data.redis.port=" + server.port(),
              "lockkeeper.redis.after-loss=grant",
              "lockkeeper.redis.replicas=1",
              "lockkeeper.redis.replica-timeout=50ms")
          .run(
              context ->
                  assertThatThrownBy(() -> context.getBean(Lockkeeper.class).lock("b").lock())
                      .hasMessageContaining("0 of 1 replicas"));
    }
    assertRefused(
        locks.withPropertyValues("lockkeeper.redis.timeout=0s"), "lockkeeper.redis.timeout is");
  }

  private static void assertGrantsAtOnce(ApplicationContextRunner application) {
    application.run(
        context -> {
          assertThat(context).hasNotFailed();
          assertThat(context.getBean(Lockkeeper.class).lock("a").tryLock()).isTrue();
        });
  }

  /** As of Testcontainers and of Docker Compose. */
  @Test
  @Tag("newest")
  void aRedisThatWasStartedForTheApplicationGrantsAtOnce() {
    try (RedisServer server = RedisServer.start()) {
      assertGrantsAtOnce(ContainerDetails.addTo(locks, RedisServer.HOST, server.port()));
      server.restart(RedisServer.Data.LOST);
      // The details of another Redis say nothing of this one.
      ContainerDetails.addTo(locks, RedisServer.HOST, 1)
          .withBean(
              LettuceConnectionFactory.class,
              () -> new LettuceConnectionFactory(RedisServer.HOST, server.port()))
          .run(
              context ->
                  assertThat(context.getBean(Lockkeeper.class).lock("a").tryLock()).isFalse());
    }
  }
}
