package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A client that changes to a server which allows sessions of less time than the one before. */
class ShorterSessionTest {

  private static final int USUAL_MILLIS = 45_000;
  private static final int SHORT_MILLIS = 20_000;

  /** A session of the usual time outlasts it; a short one does not. */
  private static final int LEASE_MILLIS = 20_000;

  private final AtomicInteger agreedMillis = new AtomicInteger(USUAL_MILLIS);

  @Test
  void countsWithTheShortestFromThenOn() {
    Environment environment = new Environment(System::nanoTime, Threads::scheduler, new Random(1));
    ZooKeeperSettings settings = ZooKeeperUrl.parse("zookeeper://a:1");
    try (Connection connection = new Connection(settings, sessions(), environment)) {
      connection.connected();
      assertThat(connection.sessionTimeoutMillis()).isEqualTo(USUAL_MILLIS);

      agreedMillis.set(SHORT_MILLIS);
      connection.connected();
      agreedMillis.set(USUAL_MILLIS);
      connection.connected();

      assertThat(connection.sessionTimeoutMillis()).isEqualTo(SHORT_MILLIS);
    }
  }

  /** Real sessions of which the servers seem to have agreed to as much as the test says. */
  private final class ShortenedHandles extends RealSessions {

    private @Nullable Listener listener;

    ShortenedHandles(ZooKeeperSettings settings) {
      super(settings);
    }

    @Override
    boolean connect(Listener hearer) throws InterruptedException {
      listener = hearer;
      return super.connect(hearer);
    }

    /** Seems to have come to another server. */
    void reconnected() {
      Objects.requireNonNull(listener).connected();
    }

    @Override
    @SuppressWarnings("try") // that closing can be interrupted is ZooKeeper's
    Handle handle(
        String connectString,
        int sessionTimeout,
        Watcher watcher,
        boolean canBeReadOnly,
        ZKClientConfig config)
        throws IOException {
      return new Handle(connectString, sessionTimeout, watcher, canBeReadOnly, config) {
        @Override
        public int getSessionTimeout() {
          return agreedMillis.get();
        }
      };
    }
  }

  /** Its record then is one that no session ends with. */
  @Test
  void whoseLeaseMayOutlastTheShorterSessionIsKnownForGood() {
    ZooKeeperSettings settings =
        ZooKeeperUrl.parse(SharedServer.running().url() + "?connectTimeout=20s");
    ShortenedHandles handles = new ShortenedHandles(settings);
    String namespace = "shorter-" + UUID.randomUUID();
    RawTree tree = RawTree.of(SharedServer.running());
    String folder = new Nodes("/lockkeeper").namespace(namespace);
    try (StoreProbe holder =
        new StoreProbe(
            context -> new ZooKeeperFactory(settings).open(context, handles),
            namespace,
            Timings.DEFAULT)) {
      StoreProbe.granted(
          StoreProbe.get(
              holder.store.claim(
                  new ClaimRequest(ResourceId.lock("n"), 1, LEASE_MILLIS, 1, true))));
      assertThat(tree.below(folder).stream().filter(each -> each.contains("/m:")))
          .singleElement()
          .matches(tree::isEphemeral);
      agreedMillis.set(SHORT_MILLIS);

      handles.reconnected();

      await()
          .atMost(Delays.patience())
          .until(
              () ->
                  tree.below(folder).stream()
                      .anyMatch(each -> each.contains("/m:") && !tree.isEphemeral(each)));
    }
  }

  private Sessions sessions() {
    Session session =
        (Session)
            Proxy.newProxyInstance(
                Session.class.getClassLoader(),
                new Class<?>[] {Session.class},
                (proxy, method, given) ->
                    method.getReturnType() == long.class ? 1L : (Object) agreedMillis.get());
    return new Sessions() {
      @Override
      public Session current() {
        return session;
      }

      @Override
      public void close() {}
    };
  }
}
