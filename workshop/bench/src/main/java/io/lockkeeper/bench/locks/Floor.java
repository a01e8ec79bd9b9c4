package io.lockkeeper.bench.locks;

import java.net.URI;

/**
 * What a driver alone needs for a lock that has an owner, a lease and a token that grows: one
 * request to take it and one to give it back. There is no queue, no renewal and no re-entrancy.
 */
interface Floor extends AutoCloseable {

  /** The length of a lease: nothing is held for so long here. */
  long LEASE_SECONDS = 30;

  /** Opens it at the server of a URL, as Lockkeeper writes it. */
  static Floor open(String url) {
    String scheme = URI.create(url).getScheme();
    return switch (scheme) {
      case "redis" -> new RedisFloor(url);
      case "zookeeper" -> new ZooKeeperFloor(url);
      case "jdbc" -> new SqlFloor(url);
      case "etcd" -> new EtcdFloor(url);
      default -> throw new IllegalArgumentException("no floor is known for " + scheme);
    };
  }

  /** Takes a lock and returns the token, or 0 if it is held. */
  long take(String name, String owner);

  /** Gives a lock back; does not wait for the answer if the driver allows. */
  void giveBack(String name, String owner);

  @Override
  void close();
}
