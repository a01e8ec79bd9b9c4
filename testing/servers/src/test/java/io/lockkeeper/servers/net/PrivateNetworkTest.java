package io.lockkeeper.servers.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.servers.JavaCommand;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class PrivateNetworkTest {

  private static final boolean MUST_BE_POSSIBLE = "true".equals(System.getenv("CI"));
  private static final int REACHED = 0;

  @BeforeAll
  static void network() {
    Optional<String> obstacle = PrivateNetwork.obstacle();
    if (MUST_BE_POSSIBLE) {
      assertThat(obstacle).isEmpty();
    }
    assumeTrue(obstacle.isEmpty(), () -> obstacle.orElse(""));
  }

  private static Process start(PrivateNetwork network, int host, String... arguments)
      throws IOException {
    List<String> command = JavaCommand.small(Neighbour.class, arguments);
    return new ProcessBuilder(network.on(host, command))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static boolean reaches(PrivateNetwork network, int from, int to) throws Exception {
    Process asking = start(network, from, "ask", network.innerAddress(to));
    assertThat(asking.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return asking.exitValue() == REACHED;
  }

  @Test
  void aCutLosesOneDirectionUntilItIsHealedAndThisMachineStillReachesTheHost() throws Exception {
    try (PrivateNetwork network = PrivateNetwork.create(2)) {
      Process server = start(network, 0, "serve");
      try {
        assertThat(server.getInputStream().read()).isEqualTo(Neighbour.READY);
        assertThat(server.toHandle().info().command())
            .hasValueSatisfying(it -> assertThat(it).endsWith("java"));
        assertThat(reaches(network, 1, 0)).isTrue();
        network.cut(1, 0);
        assertThat(reaches(network, 1, 0)).isFalse();
        assertAnswers(network.outerAddress(0));
        network.heal();
        assertThat(reaches(network, 1, 0)).isTrue();
        network.mute(0);
        assertThat(reaches(network, 1, 0)).isFalse();
        network.heal();
      } finally {
        server.destroyForcibly().waitFor();
      }
    }
  }

  private static void assertAnswers(String address) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, Neighbour.PORT), 10_000);
      socket.setSoTimeout(10_000);
      InputStream answers = socket.getInputStream();
      socket.getOutputStream().write(Neighbour.READY);
      assertThat(answers.read()).isEqualTo(Neighbour.READY);
    }
  }

  @Test
  void twoNetworksStandSideBySideAndLeaveNothing() {
    try (PrivateNetwork one = PrivateNetwork.create(1);
        PrivateNetwork other = PrivateNetwork.create(1)) {
      assertThat(one.outerAddress(0)).isNotEqualTo(other.outerAddress(0));
      assertThat(ownNamespaces()).hasSize(4);
    }
    assertThat(ownNamespaces()).isEmpty();
  }

  private static List<NamespaceName> ownNamespaces() {
    return NamespaceName.all().filter(name -> name.pid() == ProcessHandle.current().pid()).toList();
  }

  @Test
  void whatAKilledProcessHasLeftIsRemoved() throws Exception {
    Process killed = new ProcessBuilder("true").start();
    killed.waitFor();
    NamespaceName left = new NamespaceName(killed.pid(), 255, 1);
    IpTool.runHere("netns add " + left.text());
    assertThat(left.isLeftOver()).isTrue();

    PrivateNetwork.create(1).close();

    assertThat(NamespaceName.all()).doesNotContain(left);
  }

  @Test
  void onlyItsOwnNamespacesAreTakenForLeftOvers() {
    assertThat(NamespaceName.parse("lockkeeper-12-3-0 (id: 4)"))
        .contains(new NamespaceName(12, 3, 0));
    assertThat(NamespaceName.parse("lockkeeper-12-3")).isEmpty();
    assertThat(NamespaceName.parse("another")).isEmpty();
    assertThat(new NamespaceName(ProcessHandle.current().pid(), 3, 0).isLeftOver()).isFalse();
  }

  @Test
  void saysWhatIpSaid() {
    assertThatThrownBy(() -> IpTool.runHere("link show dev nobody"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("nobody");
    assertThatThrownBy(() -> PrivateNetwork.create(0)).isInstanceOf(IllegalArgumentException.class);
  }

  /** A program that answers, or one that asks it. */
  static final class Neighbour {

    static final int PORT = 2181;
    static final int READY = '.';

    /** How long an answer is waited for; a cut link gives none however long. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private Neighbour() {}

    public static void main(String[] args) throws IOException {
      if (args[0].equals("serve")) {
        serve();
      } else {
        ask(args[1]);
      }
    }

    private static void serve() throws IOException {
      try (ServerSocket server = new ServerSocket(PORT)) {
        System.out.write(READY);
        System.out.flush();
        while (true) {
          try (Socket client = server.accept()) {
            client.getOutputStream().write(client.getInputStream().read());
          }
        }
      }
    }

    private static void ask(String address) throws IOException {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(address, PORT), (int) LIMIT.toMillis());
        socket.setSoTimeout((int) LIMIT.toMillis());
        socket.getOutputStream().write(READY);
        socket.getInputStream().read();
      } catch (SocketTimeoutException lost) {
        Runtime.getRuntime().halt(1);
      }
    }
  }
}
