package io.lockkeeper.bench.locks;

import java.net.URI;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a driver alone needs for a lock that has an owner, a lease and a token that grows: one
 * request to take it and one to give it back. There is no queue, no renewal and no re-entrancy. A
 * thread that finds a lock held asks again after a pause.
 */
abstract class Floor implements LockClient {

  /** The length of a lease: nothing is held for so long here. */
  static final long LEASE_SECONDS = 30;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final String id = UUID.randomUUID().toString();

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
  abstract long take(String name, String owner);

  /** Gives a lock back; does not wait for the answer if the driver allows. */
  abstract void giveBack(String name, String owner);

  @Override
  public final ContestedLock lock(Contender contender, String name) {
    String owner = id + ":" + Thread.currentThread().getId();
    return new ContestedLock(
        () -> {
          while (take(name, owner) == 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
          }
        },
        () -> giveBack(name, owner));
  }
}
