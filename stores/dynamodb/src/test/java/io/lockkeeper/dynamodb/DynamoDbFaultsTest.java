package io.lockkeeper.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.servers.DynamoDbServer;
import io.lockkeeper.servers.fault.TcpProxy;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that is killed or stands still, and answers that are lost. */
@Tag("slow")
class DynamoDbFaultsTest {

  @BeforeAll
  static void isThere() {
    SharedServer.assumeThere();
  }

  private static Lockkeeper client(String url) {
    return Lockkeeper.builder().lease(Duration.ofSeconds(60)).connect(url);
  }

  private static CompletableFuture<Lease> acquiring(Lockkeeper client) {
    return client.lock("n").acquireAsync().toCompletableFuture();
  }

  private static Lease acquired(DistributedLock lock) {
    return await()
        .atMost(Delays.patience())
        .ignoreException(StoreUnavailableException.class)
        .until(lock::acquire, Lease::isValid);
  }

  /** Asserts that a lock goes on to another client, with a larger token. */
  private static void assertThatItGoesOn(Lease held, Lockkeeper other) throws Exception {
    CompletableFuture<Lease> next = acquiring(other);
    assertThat(held.isValid()).isTrue();
    held.close();
    try (Lease taken = next.get(Delays.patience().toSeconds(), TimeUnit.SECONDS)) {
      assertThat(taken.token()).isGreaterThan(held.token());
    }
  }

  @Test
  void aServerThatIsKilledAndComesBackTakesNoLock() throws Exception {
    try (DynamoDbServer server = DynamoDbServer.startOnDisk();
        Lockkeeper holder = client(server.url());
        Lockkeeper other = client(server.url())) {
      Lease held = holder.lock("n").acquire();
      server.kill();
      server.restart();

      assertThatItGoesOn(held, other);
    }
  }

  @Test
  void atAServerThatStandsStillALeaseEndsAtItsHolderAndTheLockWorksAgainAfterwards()
      throws Exception {
    try (DynamoDbServer server = DynamoDbServer.start();
        Lockkeeper holder =
            Lockkeeper.builder().lease(Duration.ofSeconds(3)).connect(server.url())) {
      Lease lease = holder.lock("n").acquire();
      CompletableFuture<Boolean> lost = new CompletableFuture<>();
      lease.onLost(loss -> lost.complete(true));
      server.freeze();
      try {
        assertThat(lost.get(Delays.patience().toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(lease.isValid()).isFalse();
      } finally {
        server.thaw();
      }
      acquired(holder.lock("n")).close();
    }
  }

  @Test
  void connectionsThatBreakOrFallSilentAreReplaced() throws Exception {
    try (DynamoDbServer server = DynamoDbServer.start();
        TcpProxy proxy = new TcpProxy(server.address(), server.port());
        Lockkeeper holder =
            client("dynamodb://local/lockkeeper?endpoint=http://127.0.0.1:" + proxy.port());
        Lockkeeper other = client(server.url())) {
      Lease held = holder.lock("n").acquire();
      proxy.reset();
      assertThatItGoesOn(held, other);

      Lease again = acquired(holder.lock("n"));
      proxy.swallow(TcpProxy.Direction.TO_CLIENT);
      CompletableFuture<Lease> next = acquiring(other);
      // The answer is lost: of the release, or of an attempt that another change was faster than.
      again.close();
      try (Lease taken = next.get(Delays.patience().toSeconds(), TimeUnit.SECONDS)) {
        proxy.heal();
        // What is repeated finds that it has been done, and ends nobody else's lock.
        assertThat(holder.lock("other").acquire().isValid()).isTrue();
        assertThat(taken.isValid()).isTrue();
        assertThat(taken.token()).isGreaterThan(again.token());
      }
      acquired(holder.lock("n")).close();
    }
  }

  /** In a process that has just begun the first answer takes longer than any other. */
  @Test
  void theFirstAnswerMayTakeLongerThanARequest() throws Exception {
    try (DynamoDbServer server = DynamoDbServer.start();
        TcpProxy proxy = new TcpProxy(server.address(), server.port())) {
      proxy.delay(Duration.ofMillis(500));
      String url =
          "dynamodb://local/lockkeeper?timeout=200ms&endpoint=http://127.0.0.1:" + proxy.port();
      try (Lockkeeper client = client(url)) {
        proxy.delay(Duration.ZERO);
        acquired(client.lock("n")).close();
      }
    }
  }
}
