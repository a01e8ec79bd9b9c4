package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisCommandExecutionException;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectingTest {

  static List<RedisBinary> binaries() {
    return Binaries.all();
  }

  @Tag("driver")
  @ParameterizedTest
  @MethodSource("binaries")
  void tlsAndPassword(RedisBinary binary) {
    try (RedisServer server =
        RedisServer.builder().binary(binary).tls().password("s3 cr@et/:%").start()) {
      lockAndUnlock(server.url() + "?verifyPeer=false");

      assertThat(failure(server.url()))
          .as("a certificate that nobody vouches for")
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("127.0.0.1:" + server.port());
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void anAccountOfItsOwn(RedisBinary binary) {
    try (RedisServer server = RedisServer.builder().binary(binary).start()) {
      server.command(
          "ACL",
          "SETUSER",
          "app",
          "on",
          ">s3cret",
          "~test:*",
          "resetchannels",
          "&test:*",
          "+@all",
          "-@dangerous");
      lockAndUnlock("redis://app:s3cret@127.0.0.1:" + server.port());
    }
  }

  @Test
  void aPortWithoutAServerRefusesInPlainWords() {
    assertThat(failure("redis://127.0.0.1:1"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("cannot connect to redis://127.0.0.1:1: Connection refused");
  }

  @Test
  void severalHostsThatAreNoClusterAreNamedAsSuch() {
    try (RedisServer one = RedisServer.builder().binary(Binaries.newest()).start();
        RedisServer other = RedisServer.builder().binary(Binaries.newest()).start()) {
      assertThat(failure("redis://127.0.0.1:" + one.port() + ",127.0.0.1:" + other.port()))
          .hasMessageContaining("this is no cluster, which a URL of several hosts means");
    }
  }

  /** On a busy machine the driver may look for the handshake when it is over already. */
  @Test
  void whatTheServerSaidIsToldThoughTheDriverMissedIt() {
    Opening opening =
        new Opening(
            "redis://127.0.0.1:1",
            Duration.ofSeconds(1),
            () -> new RedisCommandExecutionException("WRONGPASS invalid username-password pair"),
            System::nanoTime);

    assertThat(opening.failure(new IllegalStateException("no handshake")))
        .isInstanceOfSatisfying(
            StoreRefusedException.class,
            e -> assertThat(e.problem()).isEqualTo(StoreProblem.DENIED));
  }

  @Tag("driver")
  @ParameterizedTest
  @MethodSource("binaries")
  void aWrongPasswordIsDeniedAndNotRepeated(RedisBinary binary) {
    try (RedisServer server = RedisServer.builder().binary(binary).password("right").start()) {
      for (String login : List.of("", ":s3cret@", "app:s3cret@")) {
        String url = "redis://" + login + "127.0.0.1:" + server.port();
        LockkeeperException failure = failure(url);
        assertThat(failure)
            .as(url)
            .isInstanceOfSatisfying(
                StoreRefusedException.class,
                e -> assertThat(e.problem()).isEqualTo(StoreProblem.DENIED))
            .hasMessageContaining("127.0.0.1:" + server.port());
        assertThat(allThatItSays(failure)).doesNotContain("s3cret");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void aMissingRightIsDenied(RedisBinary binary) {
    try (RedisServer server = RedisServer.builder().binary(binary).start()) {
      server.command("ACL", "SETUSER", "deaf", "on", ">p", "~*", "resetchannels", "+@all");
      server.command("ACL", "SETUSER", "poor", "on", ">p", "~other:*", "&*", "+@all");
      String address = "127.0.0.1:" + server.port();

      assertThat(failure("redis://deaf:p@" + address))
          .isInstanceOfSatisfying(
              StoreRefusedException.class,
              e -> assertThat(e.problem()).isEqualTo(StoreProblem.DENIED));
      assertThat(failure("redis://poor:p@" + address))
          .isInstanceOfSatisfying(
              StoreRefusedException.class,
              e -> assertThat(e.problem()).isEqualTo(StoreProblem.DENIED));
      try (StoreProbe client = Probes.open("redis://poor:p@" + address + "?afterLoss=grant")) {
        assertThat(client.claim(ResourceId.lock("r"), 1))
            .isInstanceOfSatisfying(
                Outcome.Refused.class, r -> assertThat(r.problem()).isEqualTo(StoreProblem.DENIED));
      }
    }
  }

  @Tag("driver")
  @ParameterizedTest
  @MethodSource("binaries")
  void anotherDatabase(RedisBinary binary) {
    try (RedisServer server = RedisServer.builder().binary(binary).young().start()) {
      String url = server.url() + "/5?afterLoss=grant";
      try (StoreProbe client = Probes.open(url)) {
        client.claimed(ResourceId.lock("r"), 1);
        server.command("CLIENT", "KILL", "TYPE", "pubsub");
        assertThat(client.notification()).isEqualTo("reconnected");
        client.claimed(ResourceId.lock("r2"), 2);
      }
      assertThat(server.info("keyspace")).containsOnlyKeys("db5");
      assertThat(failure(server.url() + "/99"))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("DB index is out of range");
    }
  }

  @Test
  void nobodyThereFailsWithTheAddressAndWithoutThePassword() {
    for (String url :
        List.of(
            "redis://:s3cret@127.0.0.1:1",
            "rediss://:s3cret@127.0.0.1:1",
            "redis-sentinel://:s3cret@127.0.0.1:1,127.0.0.1:2?master=m",
            "redis-cluster://:s3cret@127.0.0.1:1,127.0.0.1:2")) {
      LockkeeperException failure = failure(url);
      assertThat(failure)
          .as(url)
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("127.0.0.1:1");
      assertThat(allThatItSays(failure)).doesNotContain("s3cret");
    }
  }

  @Test
  void anUnknownHostFailsWithItsName() {
    assertThat(failure("redis://no-such-host.invalid"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("no-such-host.invalid:6379");
  }

  @Test
  void aServerThatSaysNothingFailsWithinTheConnectTimeout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      long begin = System.nanoTime();
      assertThatThrownBy(
              () ->
                  Probes.open("redis://127.0.0.1:" + silent.getLocalPort() + "?connectTimeout=1s"))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("127.0.0.1:" + silent.getLocalPort());
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Delays.millis(15_000));
    }
  }

  @Test
  void aProxyThatHangsUpIsToldAsOne() throws Exception {
    try (ServerSocket proxy = new ServerSocket(0)) {
      Thread hangingUp =
          new Thread(
              () -> {
                while (!proxy.isClosed()) {
                  try (Socket socket = proxy.accept()) {
                    socket.getInputStream().read(new byte[100]);
                  } catch (IOException closed) {
                    // the test is over
                  }
                }
              });
      hangingUp.setDaemon(true);
      hangingUp.start();

      assertThat(failure("redis://127.0.0.1:" + proxy.getLocalPort()))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("HELLO")
          .hasMessageContaining("proxy");
    }
  }

  @Test
  void aServerThatWantsTlsIsToldAsOne() {
    try (RedisServer server = RedisServer.builder().tls().start()) {
      assertThat(failure("redis://127.0.0.1:" + server.port()))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("rediss://");
    }
  }

  @Test
  void aNodeOfAClusterSaysHowToConnect() {
    try (RedisCluster cluster = RedisCluster.start(Binaries.newest())) {
      RedisServer node = cluster.masters().get(0);
      try (StoreProbe client = Probes.open(node.url() + "?afterLoss=grant")) {
        Set<String> answers = new TreeSet<>();
        for (int i = 0; i < 20; i++) {
          answers.add(client.claim(ResourceId.lock("r" + i), i).toString());
        }
        assertThat(answers).anyMatch(answer -> answer.contains("redis-cluster://"));
      }
      // Each client leaves a mark when it connects, which only one of the nodes takes.
      assertThat(cluster.masters())
          .filteredOn(master -> saysHowToConnect(master.url()))
          .hasSize(cluster.masters().size() - 1);
    }
  }

  private static boolean saysHowToConnect(String url) {
    try {
      Probes.open(url).close();
      return false;
    } catch (StoreRefusedException refused) {
      return String.valueOf(refused.getMessage()).contains("redis-cluster://");
    }
  }

  @Test
  void failuresAndClosingLeaveNoThreads() {
    RedisServer server = SharedServers.running(RedisBinary.preferred());
    lockAndUnlock(server.url());
    Set<String> before = threads();
    for (int i = 0; i < 3; i++) {
      lockAndUnlock(server.url());
      failure("redis://127.0.0.1:1");
    }
    await()
        .atMost(Delays.patience())
        .untilAsserted(() -> assertThat(before).containsAll(threads()));
  }

  private static Set<String> threads() {
    Set<String> names = new TreeSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().matches("(lettuce|lockkeeper|parallel|netty|globalEvent).*")) {
        names.add(thread.getName());
      }
    }
    return names;
  }

  private static void lockAndUnlock(String url) {
    try (StoreProbe client = Probes.open(url)) {
      client.release(ResourceId.lock("r"), client.claimed(ResourceId.lock("r"), 1));
    }
  }

  private static LockkeeperException failure(String url) {
    return catchThrowableOfType(LockkeeperException.class, () -> Probes.open(url));
  }

  private static String allThatItSays(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
