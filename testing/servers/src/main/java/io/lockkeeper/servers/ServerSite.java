package io.lockkeeper.servers;

import io.lockkeeper.servers.net.PrivateNetwork;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a server runs: on this machine's loopback interface, or on a host of a private network.
 *
 * @param address what clients connect to
 * @param port the port that clients connect to
 * @param network the network; null for this machine
 * @param host which of its hosts
 */
record ServerSite(String address, int port, @Nullable PrivateNetwork network, int host) {

  private static final String LOOPBACK = "127.0.0.1";

  /** Returns a free port of this machine. */
  static ServerSite here() {
    return new ServerSite(LOOPBACK, Ports.free(), null, 0);
  }

  /** Returns a host of a network, where all ports are free. */
  static ServerSite on(PrivateNetwork network, int host, int port) {
    return new ServerSite(network.outerAddress(host), port, network, host);
  }

  /** Returns the address that other servers of the same network connect to. */
  String innerAddress() {
    return network == null ? address : network.innerAddress(host);
  }

  /** Returns the command that runs a command here. */
  List<String> command(List<String> command) {
    return network == null ? command : network.on(host, command);
  }
}
