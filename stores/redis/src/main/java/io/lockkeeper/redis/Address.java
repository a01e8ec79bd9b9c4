package io.lockkeeper.redis;

/**
 * Where a server listens.
 *
 * @param host its name or address; without brackets also for IPv6
 * @param port its port
 */
record Address(String host, int port) {

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
