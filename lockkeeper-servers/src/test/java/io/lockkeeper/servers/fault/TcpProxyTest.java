package io.lockkeeper.servers.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.RespConnection;
import io.lockkeeper.servers.fault.TcpProxy.Direction;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
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
}
