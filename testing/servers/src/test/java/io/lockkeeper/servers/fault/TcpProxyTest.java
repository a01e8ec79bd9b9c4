package io.lockkeeper.servers.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.RespConnection;
import io.lockkeeper.servers.fault.TcpProxy.Direction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {

  private static RedisServer server;
  private TcpProxy proxy;

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void startProxy() {
    server.command("FLUSHALL");
    proxy = new TcpProxy(RedisServer.HOST, server.port());
  }

  @AfterEach
  void stopProxy() {
    proxy.close();
    // The threads that carried the bytes take themselves off the list as they end.
    await().until(() -> proxy.connections() == 0);
  }

  private RespConnection connect(Duration timeout) throws IOException {
    return RespConnection.open(new Socket(), RedisServer.HOST, proxy.port(), timeout);
  }

  @Test
  void passesBytesOn() throws IOException {
    try (RespConnection connection = connect(Duration.ofSeconds(10))) {
      String large = "x".repeat(1_000_000);
      assertThat(connection.call("SET", "key", large)).isEqualTo("OK");
      assertThat(connection.call("GET", "key")).isEqualTo(large);
    }
  }

  @Test
  void delaysBothDirections() throws IOException {
    try (RespConnection connection = connect(Duration.ofSeconds(10))) {
      proxy.delay(Duration.ofMillis(100));
      long begin = System.nanoTime();
      assertThat(connection.call("PING")).isEqualTo("PONG");
      assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(200_000_000L);
    }
  }

  @Test
  void swallowedRepliesLeaveTheirEffect() throws IOException {
    try (RespConnection connection = connect(Duration.ofMillis(300))) {
      connection.call("PING");
      proxy.swallow(Direction.TO_CLIENT);
      assertThatThrownBy(() -> connection.call("SET", "key", "1"))
          .isInstanceOf(SocketTimeoutException.class);
    }
    assertThat(server.command("GET", "key")).isEqualTo("1");
  }

  @Test
  void swallowedRequestsHaveNoEffect() throws IOException {
    try (RespConnection connection = connect(Duration.ofMillis(300))) {
      connection.call("PING");
      proxy.swallow(Direction.TO_SERVER);
      assertThatThrownBy(() -> connection.call("SET", "key", "1"))
          .isInstanceOf(SocketTimeoutException.class);
      proxy.heal();
      assertThatThrownBy(() -> connection.call("PING")).isInstanceOf(IOException.class);
    }
    assertThat(server.command("GET", "key")).isNull();
  }

  @Test
  void cutsResetsAndRefusesConnections() throws IOException {
    for (Runnable fault : new Runnable[] {proxy::cut, proxy::reset, proxy::refuse}) {
      try (RespConnection connection = connect(Duration.ofSeconds(10))) {
        connection.call("PING");
        fault.run();
        assertThatThrownBy(() -> connection.call("PING")).isInstanceOf(IOException.class);
        await().until(() -> proxy.connections() == 0);
      }
    }
    assertThatThrownBy(this::pingOnce).isInstanceOf(IOException.class);
    proxy.heal();
    assertThat(pingOnce()).isEqualTo("PONG");
  }

  private Object pingOnce() throws IOException {
    try (RespConnection connection = connect(Duration.ofSeconds(10))) {
      return connection.call("PING");
    }
  }

  @Test
  void aLostReplyHasItsEffectAndTakesItsConnectionWithIt() throws IOException {
    try (TcpProxy reading = TcpProxy.ofRedis(RedisServer.HOST, server.port());
        RespConnection connection = connect(reading)) {
      connection.call("PING");
      reading.loseReply(2);
      assertThat(connection.call("SET", "a", "1")).isEqualTo("OK");

      assertThatThrownBy(() -> connection.call("SET", "b", "2")).isInstanceOf(IOException.class);

      assertThat(server.command("GET", "b")).isEqualTo("2");
      try (RespConnection next = connect(reading)) {
        assertThat(next.call("GET", "b")).isEqualTo("2");
      }
    }
  }

  @Test
  void lostPushesAreAllThatIsLost() throws Exception {
    try (TcpProxy reading = TcpProxy.ofRedis(RedisServer.HOST, server.port());
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), reading.port())) {
      socket.setSoTimeout(10_000);
      send(socket, "HELLO 3", "SUBSCRIBE news", "PING");
      readUntil(socket, "+PONG\r\n");

      server.command("PUBLISH", "news", "one");
      readUntil(socket, "$3\r\none\r\n");
      reading.losePushes();
      server.command("PUBLISH", "news", "two");
      server.command("PUBLISH", "news", "three");
      send(socket, "ECHO here");
      String heard = readUntil(socket, "$4\r\nhere\r\n");
      reading.heal();
      server.command("PUBLISH", "news", "four");
      String heardThen = readUntil(socket, "$4\r\nfour\r\n");

      assertThat(heard).doesNotContain("message", "two", "three");
      assertThat(heardThen).contains("message").doesNotContain("two", "three");
    }
  }

  @Test
  void aProxyThatDoesNotReadCannotTellRepliesFromPushes() {
    assertThatThrownBy(() -> proxy.losePushes()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> proxy.loseReply(1)).isInstanceOf(IllegalStateException.class);
  }

  private static RespConnection connect(TcpProxy to) throws IOException {
    return RespConnection.open(new Socket(), RedisServer.HOST, to.port(), Duration.ofSeconds(10));
  }

  private static void send(Socket socket, String... commands) throws IOException {
    for (String command : commands) {
      socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static String readUntil(Socket socket, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      int next = socket.getInputStream().read();
      assertThat(next).as("after " + text).isNotNegative();
      text.append((char) next);
    }
    return text.toString();
  }
}
