package io.lockkeeper.zookeeper;

import java.net.InetSocketAddress;
import java.util.Collection;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;

/**
 * ZooKeeper's own list of servers, with a size of at least a given number. The handle gives each
 * server the session timeout divided by that number to accept a connection: with three servers 15
 * seconds of 45, too long beside a lease when one of them accepts connections and says nothing.
 */
final class ServerList implements HostProvider {

  private final HostProvider servers;
  private final int leastSize;

  ServerList(String connectString, int leastSize) {
    this.servers =
        new StaticHostProvider(new ConnectStringParser(connectString).getServerAddresses());
    this.leastSize = leastSize;
  }

  @Override
  public int size() {
    return Math.max(leastSize, servers.size());
  }

  @Override
  public InetSocketAddress next(long spinDelay) {
    return servers.next(spinDelay);
  }

  @Override
  public void onConnected() {
    servers.onConnected();
  }

  @Override
  public boolean updateServerList(
      Collection<InetSocketAddress> addresses, InetSocketAddress current) {
    return servers.updateServerList(addresses, current);
  }
}
