package io.lockkeeper.lab.scene;

import io.undertow.Undertow;
import io.undertow.server.handlers.proxy.LoadBalancingProxyClient;
import io.undertow.server.handlers.proxy.ProxyHandler;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * A reverse proxy in this process, for machines without nginx: it takes the instances in turn, and
 * sends no order twice.
 */
final class UndertowProxy implements AutoCloseable {

  /** As many as there can be users, so that none has to wait for a connection. */
  private static final int CONNECTIONS = 1_000;

  private static final int IO_THREADS = 2;
  private static final Duration ANSWER_LIMIT = Duration.ofMinutes(10);

  /** Kept, because a logger that nobody keeps forgets its level. */
  private static final List<Logger> TALKATIVE =
      Stream.of("io.undertow", "org.xnio", "org.jboss.threads").map(Logger::getLogger).toList();

  private final Undertow server;

  private UndertowProxy(Undertow server) {
    this.server = server;
  }

  /**
   * Starts one on a free port of the loopback interface.
   *
   * @param backends the ports behind it
   */
  static UndertowProxy start(List<Integer> backends) {
    TALKATIVE.forEach(logger -> logger.setLevel(Level.WARNING));
    LoadBalancingProxyClient client =
        new LoadBalancingProxyClient()
            .setConnectionsPerThread(CONNECTIONS)
            .setSoftMaxConnectionsPerThread(CONNECTIONS);
    backends.forEach(port -> client.addHost(URI.create("http://127.0.0.1:" + port)));
    Undertow server =
        Undertow.builder()
            .setIoThreads(IO_THREADS)
            .setWorkerThreads(1)
            .addHttpListener(0, "127.0.0.1")
            .setHandler(
                ProxyHandler.builder()
                    .setProxyClient(client)
                    .setMaxRequestTime((int) ANSWER_LIMIT.toMillis())
                    .setMaxConnectionRetries(0)
                    .build())
            .build();
    server.start();
    return new UndertowProxy(server);
  }

  int port() {
    return ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
  }

  @Override
  public void close() {
    server.stop();
  }
}
