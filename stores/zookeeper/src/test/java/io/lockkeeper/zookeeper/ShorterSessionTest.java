package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A client whose session may end earlier than it was agreed at first. */
class ShorterSessionTest {

  private static final int USUAL_MILLIS = 45_000;
  private static final int SHORT_MILLIS = 20_000;

  /** A session of the usual time outlasts it; a short one does not. */
  private static final int LEASE_MILLIS = 20_000;

  private static final ZooKeeperSettings SETTINGS =
      ZooKeeperUrl.parse(SharedServer.running().url() + "?connectTimeout=20s");

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
    ShortenedHandles handles = new ShortenedHandles(SETTINGS);
    isKnownForGoodAfter(
        handles,
        System::nanoTime,
        () -> {
          agreedMillis.set(SHORT_MILLIS);
          handles.reconnected();
        });
  }

  /** Another that was suspended: its servers have not heard it for a while. */
  @Test
  void whoseLeaseMayOutlastTheSessionAfterASuspensionIsKnownForGood() {
    AtomicLong suspendedNanos = new AtomicLong();
    isKnownForGoodAfter(
        new ShortenedHandles(SETTINGS),
        () -> System.nanoTime() + suspendedNanos.get(),
        () -> suspendedNanos.set(TimeUnit.MILLISECONDS.toNanos(USUAL_MILLIS - LEASE_MILLIS)));
  }

  private void isKnownForGoodAfter(ShortenedHandles handles, TimeSource time, Runnable event) {
    String namespace = "shorter-" + UUID.randomUUID();
    RawTree tree = RawTree.of(SharedServer.running());
    String folder = new Nodes("/lockkeeper").namespace(namespace);
    Environment environment = new Environment(time, Threads::scheduler, new Random(1));
    try (StoreProbe holder =
        new StoreProbe(
            context ->
                new ZooKeeperFactory(SETTINGS)
                    .open(
                        new StoreContext(
                            context.clientId(), "test", namespace, Timings.DEFAULT, environment),
                        handles),
            namespace,
            Timings.DEFAULT)) {
      claim(holder, "n");
      assertThat(tree.below(folder).stream().filter(each -> each.contains("/m:")))
          .singleElement()
          .matches(tree::isEphemeral);

      event.run();
      claim(holder, "another");

      await()
          .atMost(Delays.patience())
          .until(
              () ->
                  tree.below(folder).stream()
                      .anyMatch(each -> each.contains("/m:") && !tree.isEphemeral(each)));
    }
  }

  private static void claim(StoreProbe holder, String name) {
    ClaimRequest request = new ClaimRequest(ResourceId.lock(name), 1, LEASE_MILLIS, 1, true);
    StoreProbe.granted(StoreProbe.get(holder.store.claim(request)));
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
