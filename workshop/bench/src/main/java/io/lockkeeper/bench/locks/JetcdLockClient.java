package io.lockkeeper.bench.locks;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Lock;
import io.etcd.jetcd.support.Observers;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A jetcd client and its lock service. The lock belongs to a lease and not to a thread: each waiter
 * and each holder has a lease of its own, which is kept alive and used again.
 */
final class JetcdLockClient implements LockClient {

  private static final long LEASE_SECONDS = 30;

  private final Client client;
  private final Lease leases;
  private final Lock locks;
  private final Queue<Long> free = new ConcurrentLinkedQueue<>();

  JetcdLockClient(String url) {
    client = Client.builder().endpoints("http://" + URI.create(url).getAuthority()).build();
    leases = client.getLeaseClient();
    locks = client.getLockClient();
  }

  /** A lock that is held: its lease, and the key that stands for it. */
  private record Held(long lease, ByteSequence key) {}

  @Override
  public ContestedLock lock(Contender contender, String name) {
    ByteSequence key = ByteSequence.from(name, StandardCharsets.UTF_8);
    return ContestedLock.ofPermit(() -> acquire(key), this::release);
  }

  private Held acquire(ByteSequence name) {
    Long used = free.poll();
    long lease = used != null ? used : newLease();
    return new Held(lease, locks.lock(name, lease).join().getKey());
  }

  private long newLease() {
    long lease = leases.grant(LEASE_SECONDS).join().getID();
    leases.keepAlive(lease, Observers.observer(response -> {}));
    return lease;
  }

  private void release(Held held) {
    locks.unlock(held.key()).join();
    free.add(held.lease());
  }

  @Override
  public void close() {
    client.close();
  }
}
