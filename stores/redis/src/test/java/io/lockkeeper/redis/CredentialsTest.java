package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Passwords that change while a client is connected. */
@Tag("full")
class CredentialsTest {

  private static final String OLD = "old-s3cret";
  private static final String NEW = "new-s3cret";

  static List<RedisBinary> binaries() {
    return Binaries.allAndValkey();
  }

  private static void password(RedisServer server, String password) {
    server.command("ACL", "SETUSER", "app", "on", "resetpass", ">" + password, "~*", "&*", "+@all");
  }

  private static void disconnect(RedisServer server) {
    server.command("CLIENT", "KILL", "USER", "app");
  }

  private static String login(RedisServer server) {
    return "redis://app:" + OLD + "@127.0.0.1:" + server.port();
  }

  private static LockkeeperBuilder builder() {
    return Lockkeeper.builder().storeTimeout(Delays.millis(3_000)).lease(Duration.ofMinutes(5));
  }

  @Tag("driver")
  @ParameterizedTest
  @MethodSource("binaries")
  void aPasswordThatHasChangedEndsWhatWaitsIsLoggedOnceAndIsForgottenWhenItIsRight(
      RedisBinary binary) throws Exception {
    try (RedisServer server = RedisServer.builder().binary(binary).start();
        Warnings warnings = new Warnings()) {
      password(server, OLD);
      try (Lockkeeper keeper = builder().connect(login(server) + "?afterLoss=grant")) {
        CompletableFuture<Lease> waiting;
        try (Lease held = keeper.lock("held").acquire()) {
          waiting = keeper.lock("held").acquireAsync().toCompletableFuture();
          password(server, NEW);
          disconnect(server);

          assertRefused(catchThrowable(() -> keeper.lock("other").lock()));
          assertRefused(catchThrowable(() -> keeper.lock("other").tryLock(Duration.ofMinutes(1))));
          assertRefused(catchThrowable(() -> keeper.counter("c").incrementAndGet()));
          assertRefused(catchThrowable(() -> keeper.admin().ping(Delays.patience())));
          assertThat(warnings.about("refuses this client"))
              .singleElement()
              .asString()
              .contains("127.0.0.1:" + server.port(), "WRONGPASS")
              .doesNotContain("s3cret");

          password(server, OLD);
          awaitLock(keeper);
          assertThat(held.isValid()).isTrue();
        }
        await().atMost(Delays.patience()).until(waiting::isDone);
        waiting.join().release();

        password(server, NEW);
        disconnect(server);
        assertRefused(catchThrowable(() -> keeper.lock("other").lock()));
        assertThat(warnings.about("refuses this client")).hasSize(2);
      }
    }
  }

  @Test
  void aWaiterOfAnotherClientEndsWithTheStoreTimeout() throws Exception {
    try (RedisServer server = RedisServer.start();
        Lockkeeper holder = Lockkeeper.connect(server.url() + "?afterLoss=grant")) {
      password(server, OLD);
      try (Lockkeeper keeper = builder().connect(login(server) + "?afterLoss=grant");
          Lease held = holder.lock("held").acquire()) {
        var waiting = keeper.lock("held").acquireAsync().toCompletableFuture();
        await()
            .atMost(Delays.patience())
            .until(() -> !holder.admin().inspect().get(0).waiters().isEmpty());
        password(server, NEW);
        disconnect(server);

        await().atMost(Delays.patience()).until(waiting::isDone);
        assertThat(waiting.isCompletedExceptionally()).isTrue();
        assertRefused(waiting.handle((lease, failure) -> failure).join());
        assertThat(held.isValid()).isTrue();
      }
    }
  }

  /** A server that is down refuses nobody, whatever one said before. */
  @Test
  void anOutageAfterARefusalIsAnOutage() {
    try (RedisServer server = RedisServer.start()) {
      password(server, OLD);
      try (Lockkeeper keeper = builder().connect(login(server) + "?afterLoss=grant")) {
        password(server, NEW);
        disconnect(server);
        assertRefused(catchThrowable(() -> keeper.lock("a").lock()));
        server.kill();
        await()
            .atMost(Delays.patience())
            .until(
                () ->
                    !(catchThrowable(() -> keeper.lock("a").tryLock())
                        instanceof StoreRefusedException));
      }
    }
  }

  @Tag("driver")
  @Test
  void aDriverOfTheApplicationWhosePasswordHasChangedToo() throws Exception {
    RedisClient client = RedisClient.create();
    client.setOptions(
        ClientOptions.builder().disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS).build());
    try (RedisServer server = RedisServer.start()) {
      password(server, OLD);
      RedisURI uri = RedisURI.create(login(server));
      try (Lockkeeper keeper =
          builder().connect(RedisStores.from(client, uri).withAfterLoss(AfterLoss.GRANT))) {
        keeper.lock("a").acquire().release();
        password(server, NEW);
        disconnect(server);

        assertRefused(catchThrowable(() -> keeper.lock("a").lock()));

        password(server, OLD);
        awaitLock(keeper);
      }
    } finally {
      client.shutdown();
    }
  }

  @Tag("driver")
  @Test
  void credentialsFromAProviderFollowARotation() throws Exception {
    AtomicReference<String> current = new AtomicReference<>(OLD);
    RedisCredentialsProvider provider =
        RedisCredentialsProvider.from(() -> RedisCredentials.just("app", current.get()));
    RedisClient client = RedisClient.create();
    client.setOptions(
        ClientOptions.builder().disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS).build());
    try (RedisServer server = RedisServer.start()) {
      password(server, OLD);
      RedisURI uri = RedisURI.create("redis://127.0.0.1:" + server.port());
      uri.setCredentialsProvider(provider);
      try (Lockkeeper keeper =
              builder().connect(RedisStores.from(client, uri).withAfterLoss(AfterLoss.GRANT));
          Lease held = keeper.lock("held").acquire()) {
        for (String next : List.of(NEW, OLD)) {
          current.set(next);
          password(server, next);
          disconnect(server);
          awaitLock(keeper);
          assertThat(held.isValid()).isTrue();
        }
      }
    } finally {
      client.shutdown();
    }
  }

  @Test
  void inAClusterToo() {
    try (RedisCluster cluster = RedisCluster.start(Binaries.newest())) {
      cluster.masters().forEach(master -> password(master, OLD));
      String url = cluster.url().replace("://", "://app:" + OLD + "@");
      RedisURI uri = RedisURI.create(login(cluster.masters().get(0)));
      RedisClusterClient client = RedisClusterClient.create(uri);
      client.setOptions(
          ClusterClientOptions.builder()
              .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
              .build());
      try (Lockkeeper own = builder().connect(url);
          Lockkeeper over = builder().connect(RedisStores.from(client, uri))) {
        awaitLock(own);
        awaitLock(over);
        cluster.masters().forEach(master -> password(master, NEW));
        cluster.masters().forEach(CredentialsTest::disconnect);

        assertRefused(catchThrowable(() -> own.lock("a").lock()));
        assertRefused(catchThrowable(() -> over.lock("a").lock()));

        cluster.masters().forEach(master -> password(master, OLD));
        awaitLock(own);
        awaitLock(over);
      } finally {
        client.shutdown();
      }
    }
  }

  private static void awaitLock(Lockkeeper keeper) {
    await()
        .atMost(Delays.patience())
        .ignoreExceptions()
        .until(() -> keeper.lock("other").tryRun(Duration.ZERO, () -> {}));
  }

  private static void assertRefused(@Nullable Throwable failure) {
    Throwable told = failure instanceof CompletionException ? failure.getCause() : failure;
    assertThat(told)
        .isInstanceOfSatisfying(
            StoreRefusedException.class,
            refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.DENIED))
        .hasMessageContaining("WRONGPASS")
        .hasMessageNotContaining("s3cret");
  }

  /** What the Redis store logs while this is open. */
  private static final class Warnings implements AutoCloseable {

    private final Logger logger = Logger.getLogger("io.lockkeeper.redis");
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            messages.add(record.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };

    Warnings() {
      logger.addHandler(handler);
    }

    List<String> about(String text) {
      return messages.stream().filter(message -> message.contains(text)).toList();
    }

    @Override
    public void close() {
      logger.removeHandler(handler);
    }
  }
}
