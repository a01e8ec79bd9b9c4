package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.micrometer.LockkeeperMetrics;
import io.lockkeeper.micrometer.ObservedLocks;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spring.InsideTransaction;
import io.lockkeeper.spring.LockSettings;
import io.lockkeeper.spring.LockTemplate;
import io.lockkeeper.spring.Locked;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.beans.PropertyDescriptor;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.ClassUtils;

/** Runs with each Spring Boot. */
class LockkeeperAutoConfigurationTest {

  private static final String MEMORY = "lockkeeper.url=memory:auto-configuration-test";

  private static final String BREAK = "lockkeeper.deadlocks.break-cycles=true";

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  Stream.concat(
                          Stream.of(
                              LockkeeperAutoConfiguration.class,
                              LockkeeperActuatorAutoConfiguration.class),
                          Stream.of(
                              present(
                                  "io.lockkeeper.spring.boot3"
                                      + ".LockkeeperHealthAutoConfiguration")))
                      .toArray(Class<?>[]::new)));

  /** The application's own auto-configurations, by the names of this Spring Boot. */
  private static Class<?>[] present(String... names) {
    return Stream.of(names)
        .filter(name -> ClassUtils.isPresent(name, null))
        .map(name -> ClassUtils.resolveClassName(name, null))
        .toArray(Class<?>[]::new);
  }

  static class Shop {

    @Locked(name = "stock", key = "#sku")
    public <T> T deduct(String sku, Supplier<T> work) {
      return work.get();
    }
  }

  @Configuration
  static class ShopBean {

    final Queue<LockEvent> events = new ConcurrentLinkedQueue<>();

    @Bean
    Shop shop() {
      return new Shop();
    }

    @Bean
    LockListener listener() {
      return events::add;
    }

    @Bean
    LockkeeperCustomizer customizer() {
      return builder -> builder.clientName("customized");
    }
  }

  @Test
  void aUrlIsEnough() {
    runner
        .withPropertyValues(MEMORY, "spring.application.name=shop", "lockkeeper.lease=10s")
        .withUserConfiguration(ShopBean.class)
        .run(
            context -> {
              Lockkeeper keeper = context.getBean(Lockkeeper.class);
              assertThat(keeper.clientName()).isEqualTo("customized");
              try (Lockkeeper same =
                      Lockkeeper.builder()
                          .namespace("shop")
                          .connect("memory:auto-configuration-test");
                  Lockkeeper other = Lockkeeper.connect("memory:auto-configuration-test")) {
                Shop shop = context.getBean(Shop.class);
                assertThat(
                        shop.deduct(
                            "1",
                            () ->
                                List.of(
                                    same.lock("stock:1").isLocked(),
                                    other.lock("stock:1").isLocked())))
                    .containsExactly(true, false);
              }
              long token = context.getBean(LockTemplate.class).execute("t", lease -> lease.token());
              assertThat(token).isPositive();
              assertThat(context.getBean(ShopBean.class).events).isNotNull();
            });
  }

  @Test
  void optionsFollowFromTheLongestPattern() {
    Map<String, Object> properties =
        Map.of(
            "lockkeeper.url", "memory:auto-configuration-test",
            "lockkeeper.locks[*].lease", "20s",
            "lockkeeper.locks[stock:*].lease", "10s",
            "lockkeeper.locks[stock:*].max-local-handoffs", "3",
            "lockkeeper.locks[stock:*].confirmed-release", "true",
            "lockkeeper.annotation.wait-time", "5s",
            "lockkeeper.annotation.inside-transaction", "fail");
    runner
        .withInitializer(
            context ->
                context
                    .getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("test", properties)))
        .run(
            context -> {
              LockSettings settings = context.getBean(LockSettings.class);
              assertThat(settings.options("stock:1").lease()).contains(Duration.ofSeconds(10));
              assertThat(settings.options("stock:1").maxLocalHandoffs()).isEqualTo(3);
              assertThat(settings.options("stock:1").confirmsRelease()).isTrue();
              assertThat(settings.options("other").lease()).contains(Duration.ofSeconds(20));
              assertThat(settings.waitTime()).contains(Duration.ofSeconds(5));
              assertThat(settings.insideTransaction()).isEqualTo(InsideTransaction.FAIL);
            });
  }

  @Test
  void optionsByPatternCountForTheClientToo() {
    runner
        .withPropertyValues(MEMORY, "lockkeeper.locks.once.reentrant=false")
        .run(
            context -> {
              Lockkeeper keeper = context.getBean(Lockkeeper.class);
              assertThat(keeper.lock("once").tryLock()).isTrue();
              assertThat(keeper.lock("once").tryLock()).isFalse();
            });
  }

  /** Each of these leases is too long, which both say in the same words. */
  @Test
  void durationsAreReadAsTheCoreReadsThem() {
    for (String lease : List.of("86400001ms", "90000S", "1441m", "25h", "2d", "PT25H")) {
      runner
          .withPropertyValues(MEMORY, "lockkeeper.lease=" + lease)
          .run(
              context ->
                  assertThatIllegalArgumentException()
                      .isThrownBy(
                          () ->
                              Lockkeeper.fromProperties(
                                  Map.of("lockkeeper.url", "memory:a", "lockkeeper.lease", lease)))
                      .withMessage(
                          "lockkeeper.lease is '%s': %s",
                          lease, rootOf(context.getStartupFailure()).getMessage()));
    }
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure : rootOf(cause);
  }

  @Test
  void variablesOfTheEnvironmentAreReadAsTheCoreReadsThem() {
    Map<String, String> variables = new HashMap<>();
    variables.put("LOCKKEEPER_URL", "memory:auto-configuration-test");
    variables.put("LOCKKEEPER_NAMESPACE", "shop");
    variables.put("LOCKKEEPER_CLIENT_NAME", "till 1");
    variables.put("LOCKKEEPER_RENEWALINTERVAL", "3s");
    variables.put("LOCKKEEPER_DEADLOCKS_BREAKCYCLES", "true");
    variables.put("LOCKKEEPER_LOCKS_CLEANUP_LEASE", "5s");
    variables.put("LOCKKEEPER_LOCKS_CLEANUP_MAX_LOCAL_HANDOFFS", "3");
    variables.put("LOCKKEEPER_LOCKS_ONCE_REENTRANT", "false");
    Map<String, Object> environment = new HashMap<>(variables);
    runner
        .withInitializer(
            context ->
                context
                    .getEnvironment()
                    .getPropertySources()
                    .addFirst(
                        new SystemEnvironmentPropertySource("test-systemEnvironment", environment)))
        .run(
            context -> {
              LockkeeperProperties properties = context.getBean(LockkeeperProperties.class);
              assertThat(properties.getNamespace()).isEqualTo("shop");
              assertThat(properties.getClientName()).isEqualTo("till 1");
              assertThat(properties.getRenewalInterval()).isEqualTo(Duration.ofSeconds(3));
              assertThat(properties.getDeadlocks().isBreakCycles()).isTrue();
              assertThat(properties.getLocks().get("cleanup").getLease())
                  .isEqualTo(Duration.ofSeconds(5));
              assertThat(properties.getLocks().get("cleanup").getMaxLocalHandoffs()).isEqualTo(3);
              assertThat(properties.getLocks().get("once").isReentrant()).isFalse();
            });
    try (Lockkeeper keeper = Lockkeeper.fromEnvironment(variables)) {
      assertThat(keeper.clientName()).isEqualTo("till 1");
      assertThat(keeper.lock("once").tryLock()).isTrue();
      assertThat(keeper.lock("once").tryLock()).isFalse();
    }
  }

  @Test
  void theCoreKnowsThePropertiesOfTheClient() {
    Map<String, String> properties = new HashMap<>();
    collect(LockkeeperProperties.class, "lockkeeper.", properties);
    collect(LockkeeperProperties.Deadlocks.class, "lockkeeper.deadlocks.", properties);
    collect(LockkeeperProperties.Lock.class, "lockkeeper.locks[a].", properties);
    assertThat(properties)
        .containsKeys("lockkeeper.client-name", "lockkeeper.locks[a].max-local-handoffs");
    properties
        .keySet()
        .removeAll(List.of("lockkeeper.store", "lockkeeper.store-bean", "lockkeeper.observations"));
    properties.put("lockkeeper.url", "memory:auto-configuration-test");

    Lockkeeper.fromProperties(properties).close();
  }

  /** Puts the properties of a class there, each with an empty value, which leaves its default. */
  private static void collect(Class<?> type, String prefix, Map<String, String> properties) {
    for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(type)) {
      if (property.getWriteMethod() != null) {
        String name = property.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        properties.put(prefix + name, "");
      }
    }
  }

  @Test
  void theCoreConnectsInTheBackgroundToo() {
    try (Lockkeeper keeper =
        Lockkeeper.fromProperties(
            Map.of("lockkeeper.url", "redis://127.0.0.1:1", "lockkeeper.connect", "background"))) {
      assertThatExceptionOfType(StoreUnavailableException.class)
          .isThrownBy(() -> keeper.admin().ping(Duration.ofSeconds(1)));
    }
  }

  @Test
  void theAnnotationCanBeSwitchedOff() {
    runner
        .withPropertyValues(MEMORY, "lockkeeper.annotation.enabled=false")
        .withUserConfiguration(ShopBean.class)
        .run(
            context -> {
              Lockkeeper keeper = context.getBean(Lockkeeper.class);
              boolean held =
                  context.getBean(Shop.class).deduct("1", () -> keeper.lock("stock:1").isLocked());
              assertThat(held).isFalse();
            });
  }

  @Test
  void withoutAStoreTheStartFailsAndSaysWhatIsMissing() {
    runner.run(
        context -> {
          FailureAnalysis analysis = analysis(context);
          assertThat(analysis.getDescription())
              .contains(
                  "lockkeeper.url",
                  "Beans found: none",
                  "lockkeeper-redis, lockkeeper-jdbc, lockkeeper-zookeeper, lockkeeper-memory");
          assertThat(analysis.getAction()).contains("spring.data.redis", "spring.datasource");
        });
    // Spring Boot finds it; other analyzers want what is not there in a test.
    assertThat(
            SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, null, (type, name, failure) -> {}))
        .hasAtLeastOneElementOfType(StartExceptionAnalyzer.class);
  }

  private static FailureAnalysis analysis(AssertableApplicationContext context) {
    FailureAnalysis analysis = new StartExceptionAnalyzer().analyze(context.getStartupFailure());
    assertThat(analysis).as("of %s", context.getStartupFailure()).isNotNull();
    return analysis;
  }

  @Test
  void theClientIsClosedWithItsContext() {
    Lockkeeper[] closed = new Lockkeeper[1];
    runner.withPropertyValues(MEMORY).run(context -> closed[0] = context.getBean(Lockkeeper.class));
    Assertions.assertThatThrownBy(() -> closed[0].lock("a").lock())
        .isInstanceOfAny(LockkeeperClosedException.class, LeaseLostException.class);
  }

  @Test
  void theApplicationsRedisIsUsed() {
    try (RedisServer server = RedisServer.start();
        Lockkeeper other =
            Lockkeeper.builder().namespace("shop").connect(server.url() + "?afterLoss=grant")) {
      runner
          .withConfiguration(
              AutoConfigurations.of(
                  present(
                      "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
                      "org.springframework.boot.data.redis.autoconfigure"
                          + ".DataRedisAutoConfiguration")))
          .withPropertyValues(
              "spring.application.name=shop",
              "spring.data.redis.host=" + RedisServer.HOST,
              "spring.data.redis.port=" + server.port())
          .run(
              context -> {
                Lockkeeper keeper = context.getBean(Lockkeeper.class);
                assertThat(other.lock("a").tryLock()).isTrue();
                assertThat(keeper.lock("a").isLocked()).isTrue();
              });
    }
  }

  @Test
  void aUrlComesBeforeTheApplicationsOwnRedis() {
    runner
        .withConfiguration(
            AutoConfigurations.of(
                present(
                    "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
                    "org.springframework.boot.data.redis.autoconfigure"
                        + ".DataRedisAutoConfiguration")))
        .withPropertyValues(MEMORY, "spring.data.redis.port=1")
        .run(
            context ->
                assertThat(context.getBean(LockkeeperConnectionDetails.class))
                    .isNotInstanceOf(ApplicationRedis.class));
  }

  @Test
  void whatIsAmbiguousFailsTheStartAndNamesTheBeans() {
    ApplicationContextRunner two =
        runner
            .withBean("shopSource", DataSource.class, () -> sqlite("shop"))
            .withBean("stockSource", DataSource.class, () -> sqlite("stock"));
    two.run(
        context -> {
          FailureAnalysis analysis = analysis(context);
          assertThat(analysis.getDescription())
              .contains("DataSource shopSource, stockSource", "@Primary");
          assertThat(analysis.getAction()).contains("lockkeeper.store-bean", "lockkeeper.store");
        });
    two.withPropertyValues("lockkeeper.store-bean=stockSource")
        .run(context -> assertThat(context).hasNotFailed());
    two.withPropertyValues("lockkeeper.store-bean=stokSource")
        .run(
            context ->
                assertThat(analysis(context).getDescription())
                    .contains("lockkeeper.store-bean is 'stokSource'", "shopSource, stockSource"));
    two.withPropertyValues("lockkeeper.store=zookeeper")
        .run(
            context ->
                assertThat(analysis(context).getDescription())
                    .contains("lockkeeper.store is 'zookeeper'", "shopSource, stockSource"));
  }

  private static DataSource sqlite(String name) {
    return new DriverManagerDataSource("jdbc:sqlite:target/" + name + ".db");
  }

  @Test
  void propertiesOfADatabaseAreForADataSourceAndForAUrl(@TempDir Path folder) {
    String url = "jdbc:sqlite:" + folder.resolve("locks.db");
    ApplicationContextRunner own =
        runner.withBean(DataSource.class, () -> new DriverManagerDataSource(url));
    for (ApplicationContextRunner application :
        List.of(own, runner.withPropertyValues("lockkeeper.url=" + url))) {
      application
          .withPropertyValues("lockkeeper.jdbc.tables=expect")
          .run(context -> assertThat(analysis(context).getDescription()).contains("has no table"));
    }
    own.withPropertyValues("lockkeeper.jdbc.connections=0")
        .run(
            context ->
                assertThat(analysis(context).getDescription())
                    .startsWith("lockkeeper.jdbc.connections is '0': "));
  }

  @Test
  void ofTwoKindsTheFirstIsTakenUnlessAnotherIsWanted() {
    ApplicationContextRunner both =
        runner
            .withBean("shopSource", DataSource.class, () -> sqlite("shop"))
            .withBean(
                "shopRedis",
                RedisConnectionFactory.class,
                () -> new LettuceConnectionFactory(RedisServer.HOST, 1))
            .withPropertyValues("lockkeeper.connect=background");
    try (LogRecords log = LogRecords.of("io.lockkeeper.spring")) {
      both.run(
          context ->
              assertThat(context.getBean(LockkeeperConnectionDetails.class))
                  .isInstanceOf(ApplicationRedis.class));
      assertThat(log.messages())
          .anySatisfy(
              message ->
                  assertThat(message)
                      .contains("RedisConnectionFactory shopRedis", "DataSource shopSource"));
    }
    both.withPropertyValues("lockkeeper.store=jdbc")
        .run(
            context ->
                assertThat(context.getBean(LockkeeperConnectionDetails.class))
                    .isNotInstanceOf(ApplicationRedis.class));
  }

  @Test
  void aStoreBesideAUrlIsAWarning() {
    try (LogRecords log = LogRecords.of("io.lockkeeper.spring")) {
      runner
          .withPropertyValues(MEMORY, "lockkeeper.store=redis")
          .run(context -> assertThat(context).hasNotFailed());
      assertThat(log.messages())
          .anySatisfy(message -> assertThat(message).startsWith("lockkeeper.store has no effect"));
    }
  }

  @Test
  void whatIsWrongIsSaidByTheNameOfItsProperty() {
    assertThat(description("lockkeeper.url=memry:a"))
        .startsWith("lockkeeper.url: ")
        .contains("memry");
    assertThat(description(MEMORY, "lockkeeper.lease=10ms"))
        .startsWith("lockkeeper.lease is '10ms': a lease must be");
    assertThat(description(MEMORY, "lockkeeper.renewal-interval=20s"))
        .startsWith("lockkeeper.renewal-interval: ");
    assertThat(description(MEMORY, "lockkeeper.locks.a.lease=25h"))
        .startsWith("lockkeeper.locks[a].lease is '25h': a lease must be");
    assertThat(description(MEMORY, "lockkeeper.deadlocks.detect=false", BREAK))
        .startsWith("lockkeeper.deadlocks.break-cycles: ");
    assertThat(description("lockkeeper.url=redis://127.0.0.1:1")).contains("redis://127.0.0.1:1");
  }

  @Test
  void aMisspeltPropertyFailsTheStartAndIsNotRepeated() {
    for (String[] typo :
        new String[][] {
          {"lockkeeper.ulr", "lockkeeper.url"},
          {"lockkeeper.locks[stock*].leas", "lockkeeper.locks[PATTERN].lease"},
          {"lockkeeper.deadlock.detect", "lockkeeper.deadlocks.detect"},
          {"lockkeeper.client.name", "lockkeeper.client-name"},
          {"lockkeeper.redis.after-los", "lockkeeper.redis.after-loss"},
          {"lockkeeper.jdbc.table", "lockkeeper.jdbc.tables"}
        }) {
      assertThat(description(MEMORY, typo[0] + "=secret"))
          .startsWith(typo[0])
          .contains(" is not known. Did you mean " + typo[1] + "?")
          .doesNotContain("secret");
    }
    assertThat(description(MEMORY, "lockkeeper.something=1")).contains("is not known");
  }

  @Test
  void whatBelongsToOthersIsLeftAlone() {
    Map<String, Object> environment =
        Map.of(
            "LOCKKEEPER_PORT", "tcp://10.0.0.1:6379",
            "LOCKKEEPER_SERVICE_HOST", "10.0.0.1",
            "LOCKKEEPER_ULR", "redis://:secret@host");
    try (LogRecords log = LogRecords.of("io.lockkeeper.spring")) {
      runner
          .withPropertyValues(
              MEMORY,
              "lockkeeper.clientName=till",
              "lockkeeper.test.url=memory:a",
              "lockkeeper-shop.url=b")
          .withInitializer(
              context ->
                  context
                      .getEnvironment()
                      .getPropertySources()
                      .addFirst(
                          new SystemEnvironmentPropertySource(
                              "test-systemEnvironment", environment)))
          .run(context -> assertThat(context).hasNotFailed());
      assertThat(log.messages())
          .containsExactly(
              "The environment variable LOCKKEEPER_ULR has no effect. Did you mean"
                  + " LOCKKEEPER_URL?");
    }
  }

  @Test
  void aNumberWithoutAUnitFailsTheStart() {
    for (String property :
        List.of("lockkeeper.lease", "lockkeeper.locks.a.retention", "lockkeeper.jdbc.timeout")) {
      runner
          .withPropertyValues(MEMORY, property + "=10")
          .run(
              context -> {
                assertThat(analysis(context).getDescription())
                    .startsWith(property + " is '10', which must be a duration with a unit");
                assertThat(analysis(context).getAction()).contains("10s", "10ms");
              });
    }
    runner
        .withPropertyValues(MEMORY, "lockkeeper.annotation.wait-time=0", "lockkeeper.lease=PT10S")
        .run(context -> assertThat(context).hasNotFailed());
  }

  private String description(String... properties) {
    String[] description = new String[1];
    runner
        .withPropertyValues(properties)
        .run(context -> description[0] = analysis(context).getDescription());
    return description[0];
  }

  @Test
  void connectionDetailsComeBeforeAUrl() {
    LockkeeperConnectionDetails details =
        builder -> builder.connect("memory:auto-configuration-test");
    runner
        .withPropertyValues("lockkeeper.url=redis://127.0.0.1:1")
        .withBean(LockkeeperConnectionDetails.class, () -> details)
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void theApplicationsDatabaseIsUsed() {
    useDatabase("org.sqlite.JDBC", "jdbc:sqlite:target/auto-configuration-test.db");
  }

  /** As Spring Boot makes it for tests. */
  @Test
  void theApplicationsDatabaseInMemoryIsUsed() {
    useDatabase("org.h2.Driver", "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE");
  }

  private void useDatabase(String driver, String url) {
    runner
        .withConfiguration(
            AutoConfigurations.of(
                present(
                    "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
                    "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")))
        .withPropertyValues(
            "spring.datasource.type=org.springframework.jdbc.datasource.SimpleDriverDataSource",
            "spring.datasource.driver-class-name=" + driver,
            "spring.datasource.url=" + url)
        .run(
            context -> {
              Lockkeeper keeper = context.getBean(Lockkeeper.class);
              assertThat(keeper.lock("a").tryLock()).isTrue();
              assertThat(keeper.admin().inspect()).hasSize(1);
            });
  }

  @Test
  void theApplicationsZooKeeperIsUsed() {
    try (CuratorFramework curator =
        CuratorFrameworkFactory.newClient("127.0.0.1:1", new RetryOneTime(1))) {
      curator.start();
      runner
          .withBean(CuratorFramework.class, () -> curator)
          .withPropertyValues("lockkeeper.connect=background")
          .run(
              context ->
                  assertThat(health(context)).contains("DOWN").contains("zookeeper://127.0.0.1:1"));
    }
  }

  /** The health of the application, whatever the class is called. */
  private static String health(ApplicationContext context) throws Exception {
    Object indicator = context.getBean("lockkeeperHealthIndicator");
    Method health = indicator.getClass().getMethod("health");
    health.setAccessible(true);
    Object answer = health.invoke(indicator);
    return answer.toString();
  }

  @Test
  void anApplicationThatStartsWithoutItsStoreBecomesHealthyWhenThatComes() {
    try (RedisServer server = RedisServer.start()) {
      server.kill();
      runner
          .withPropertyValues(
              "lockkeeper.url=" + server.url() + "?afterLoss=grant",
              "lockkeeper.connect=background")
          .run(
              context -> {
                assertThat(context).hasNotFailed();
                assertThat(health(context)).contains("DOWN").contains("StoreUnavailable");

                server.restart(RedisServer.Data.LOST);

                await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                        () ->
                            assertThat(health(context))
                                .contains("UP", "pingMillis", "lostLeases=0"));
                assertThat(context.getBean(Lockkeeper.class).lock("a").tryLock()).isTrue();
              });
    }
  }

  @Test
  void aLazyClientConnectsWhenItIsUsed() {
    try (RedisServer server = RedisServer.start()) {
      server.kill();
      runner
          .withPropertyValues(
              "lockkeeper.url=" + server.url() + "?afterLoss=grant", "lockkeeper.connect=lazy")
          .run(
              context -> {
                assertThat(context).hasNotFailed();

                server.restart(RedisServer.Data.LOST);

                assertThat(context.getBean(Lockkeeper.class).lock("a").tryLock()).isTrue();
                assertThat(health(context)).contains("UP");
              });
    }
  }

  @Test
  void theHealthNamesClientAndNamespace() {
    runner
        .withPropertyValues(MEMORY, "spring.application.name=shop", "lockkeeper.client-name=till")
        .run(
            context -> assertThat(health(context)).contains("UP", "client=till", "namespace=shop"));
  }

  @Test
  void aRedisThatGrantsNothingAfterARestartIsOutOfServiceAndSaysForHowLong() {
    try (RedisServer server = RedisServer.builder().young().start()) {
      runner
          .withPropertyValues("lockkeeper.url=" + server.url(), "lockkeeper.redis.quarantine=60s")
          .run(
              context ->
                  assertThat(health(context))
                      .contains("OUT_OF_SERVICE", "may have lost its locks", "secondsLeft="));
      runner
          .withPropertyValues("lockkeeper.url=" + server.url(), "lockkeeper.redis.after-loss=grant")
          .run(context -> assertThat(health(context)).contains("UP"));
    }
  }

  @Test
  void theEndpointShowsWhoHoldsAndReleasesByForce() {
    runner
        .withPropertyValues(MEMORY, "management.endpoints.web.exposure.include=*")
        .run(
            context -> {
              LockkeeperEndpoint endpoint = context.getBean(LockkeeperEndpoint.class);
              Lease lease = context.getBean(Lockkeeper.class).lock("endpoint").acquire();
              assertThat(endpoint.all().get("resources"))
                  .anySatisfy(report -> assertThat(report).containsEntry("name", "endpoint"));
              assertThat(endpoint.one("lock", "endpoint").get("holders").toString())
                  .contains("token=");
              assertThat(endpoint.one("read-write-lock", "endpoint"))
                  .containsEntry("holders", List.of());

              assertThat(endpoint.release("lock", "endpoint")).containsEntry("released", 1L);

              assertThat(endpoint.one("lock", "endpoint")).containsEntry("holders", List.of());
              await().atMost(Duration.ofSeconds(60)).until(() -> !lease.isValid());
              assertThat(LockkeeperEndpoint.class.getAnnotation(Endpoint.class).defaultAccess())
                  .isEqualTo(Access.READ_ONLY);
            });
  }

  @Test
  void theEndpointIsNotThereUnlessItIsExposed() {
    runner
        .withPropertyValues(MEMORY)
        .run(context -> assertThat(context).doesNotHaveBean(LockkeeperEndpoint.class));
  }

  @Test
  void locksAreMeasuredAndObserved() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    runner
        .withPropertyValues(MEMORY, "lockkeeper.observations=true")
        .withBean(ObservationRegistry.class, ObservationRegistry::create)
        .run(
            context -> {
              assertThat(context).hasSingleBean(ObservedLocks.class);
              context.getBean(LockkeeperMetrics.class).bindTo(registry);
              context.getBean(Lockkeeper.class).lock("measured").acquire().release();
              assertThat(
                      registry.get("lockkeeper.acquire").tag("outcome", "acquired").timer().count())
                  .isEqualTo(1);
              assertThat(registry.get("lockkeeper.events.dropped").functionCounter().count())
                  .isZero();
            });
  }

  @Test
  void theClientIsAPartOfTheInfo() {
    runner
        .withPropertyValues(MEMORY, "lockkeeper.client-name=one")
        .run(
            context -> {
              Info.Builder info = new Info.Builder();
              context.getBean(InfoContributor.class).contribute(info);
              assertThat(info.build().get("lockkeeper").toString()).contains("clientName=one");
            });
  }

  @Test
  void theSpringBootIsTheOneThatIsMeant() {
    assertThat(SpringBootVersion.getVersion())
        .startsWith(System.getProperty("lockkeeper.test.boot"));
  }

  @SpringBootApplication
  static class Application {}

  @Test
  void aStartedApplicationHasLocks() {
    var application = new org.springframework.boot.SpringApplication(Application.class);
    application.setDefaultProperties(
        Map.of(
            "lockkeeper.url",
            "memory:started",
            "spring.main.banner-mode",
            "off",
            "spring.main.web-application-type",
            "none",
            "spring.autoconfigure.exclude",
            String.join(
                ",",
                Stream.of(
                        present(
                            "org.springframework.boot.autoconfigure.jdbc"
                                + ".DataSourceAutoConfiguration",
                            "org.springframework.boot.jdbc.autoconfigure"
                                + ".DataSourceAutoConfiguration"))
                    .map(Class::getName)
                    .toList())));
    try (var context = application.run()) {
      boolean valid = context.getBean(LockTemplate.class).execute("t", lease -> lease.isValid());
      assertThat(valid).isTrue();
    }
  }
}
