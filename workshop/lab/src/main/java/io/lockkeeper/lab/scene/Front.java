package io.lockkeeper.lab.scene;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.servers.NginxServer;
import io.lockkeeper.servers.ServerStartException;
import java.net.URI;
import java.util.List;

/**
 * What users talk to: a proxy that shares out their orders among the instances.
 *
 * @param port where it listens
 * @param running ends with it
 */
record Front(int port, Runnable running) implements AutoCloseable {

  /**
   * Starts one.
   *
   * @throws CannotRunException if this machine does not have it
   */
  static Front open(Proxy proxy, List<Instance> instances) {
    List<Integer> ports = instances.stream().map(Instance::port).toList();
    return switch (proxy) {
      case NGINX -> nginx(ports);
      case UNDERTOW -> {
        UndertowProxy undertow = UndertowProxy.start(ports);
        yield new Front(undertow.port(), undertow::close);
      }
    };
  }

  private static Front nginx(List<Integer> ports) {
    try {
      NginxServer nginx = NginxServer.start(ports);
      return new Front(nginx.port(), nginx::close);
    } catch (ServerStartException e) {
      throw new CannotRunException(
          e.getMessage() + "; install nginx, or do without it by --front undertow", e);
    }
  }

  URI target(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  @Override
  public void close() {
    running.run();
  }
}
