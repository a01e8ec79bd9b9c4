package io.lockkeeper.cli.torture;

import io.lockkeeper.servers.fault.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The ways of one worker to all servers of its store, which are broken together. */
final class Network implements AutoCloseable {

  private static final String HOST = "127.0.0.1";

  private final List<Integer> ports;
  private final List<TcpProxy> proxies = new ArrayList<>();

  /** Creates ways that are in order. */
  Network(Stage stage) {
    ports = stage.ports();
    for (int port : ports) {
      proxies.add(
          stage.can(Stage.Trait.PUSHES) ? TcpProxy.ofRedis(HOST, port) : new TcpProxy(HOST, port));
    }
  }

  /** Returns a URL with the ways to the servers in place of the servers. */
  String through(String url) {
    String result = url;
    for (int i = 0; i < ports.size(); i++) {
      result = result.replaceAll(":" + ports.get(i) + "(?!\\d)", ":" + proxies.get(i).port());
    }
    return result;
  }

  void cut() {
    proxies.forEach(TcpProxy::cut);
  }

  void reset() {
    proxies.forEach(TcpProxy::reset);
  }

  void refuse() {
    proxies.forEach(TcpProxy::refuse);
  }

  void swallow(TcpProxy.Direction direction) {
    proxies.forEach(proxy -> proxy.swallow(direction));
  }

  void delay(Duration delay) {
    proxies.forEach(proxy -> proxy.delay(delay));
  }

  void losePushes() {
    proxies.forEach(TcpProxy::losePushes);
  }

  void loseReply(int n) {
    proxies.forEach(proxy -> proxy.loseReply(n));
  }

  void heal() {
    proxies.forEach(TcpProxy::heal);
  }

  @Override
  public void close() {
    proxies.forEach(TcpProxy::close);
  }
}
