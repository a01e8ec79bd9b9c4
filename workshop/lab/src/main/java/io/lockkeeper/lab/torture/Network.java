package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.fault.TcpProxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The ways of one worker to all servers of its store, which are broken together. */
final class Network implements AutoCloseable {

  static final String HERE = "127.0.0.1";

  private final List<StoreUnderTest.Address> addresses;
  private final List<TcpProxy> proxies = new ArrayList<>();

  Network(StoreUnderTest stage) {
    addresses = stage.addresses();
    addresses.forEach(address -> proxies.add(stage.proxy(address)));
  }

  /** Returns a URL with the ways to the servers in place of the servers. */
  String through(String url) {
    String result = url;
    for (int i = 0; i < addresses.size(); i++) {
      String server = Pattern.quote(addresses.get(i).toString());
      result = result.replaceAll(server + "(?!\\d)", HERE + ":" + proxies.get(i).port());
    }
    return result;
  }

  void each(Consumer<TcpProxy> action) {
    proxies.forEach(action);
  }

  /** Returns which server the worker is connected to; of several the one it uses most. */
  int server() {
    return IntStream.range(0, proxies.size())
        .boxed()
        .max(Comparator.comparingInt(number -> proxies.get(number).connections()))
        .orElseThrow();
  }

  /** Swallows what goes to one server and what comes from it. */
  void silence(int number) {
    proxies.get(number).swallow(TcpProxy.Direction.TO_SERVER);
    proxies.get(number).swallow(TcpProxy.Direction.TO_CLIENT);
  }

  @Override
  public void close() {
    proxies.forEach(TcpProxy::close);
  }
}
