package io.lockkeeper.bench.coordinator;

import io.lockkeeper.servers.fault.TcpProxy;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A way to a server on which every byte arrives later, in both directions. */
final class Detour implements AutoCloseable {

  private static final Pattern ADDRESS = Pattern.compile("//([^/:]+):(\\d+)");

  private final TcpProxy proxy;
  private final String url;

  /**
   * Opens it.
   *
   * @param url the server's
   * @param delay in each direction
   */
  Detour(String url, Duration delay) {
    Matcher address = ADDRESS.matcher(url);
    if (!address.find()) {
      throw new IllegalArgumentException("no host and port in " + url);
    }
    proxy = new TcpProxy(address.group(1), Integer.parseInt(address.group(2)));
    proxy.delay(delay);
    this.url = url.substring(0, address.start(2)) + proxy.port() + url.substring(address.end(2));
  }

  /** Returns the URL that leads this way. */
  String url() {
    return url;
  }

  @Override
  public void close() {
    proxy.close();
  }
}
