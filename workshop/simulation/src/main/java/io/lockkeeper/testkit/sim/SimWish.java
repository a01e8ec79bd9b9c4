package io.lockkeeper.testkit.sim;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.ReadWriteOptions;
import io.lockkeeper.spi.Share;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** A caller's wish: which resource, and how much of it. */
record SimWish(SimResource resource, int permits) {

  static SimWish draw(SimResource resource, SplittableRandom random) {
    int permits =
        switch (resource.kind()) {
          case READ_WRITE_LOCK -> random.nextInt(3) == 0 ? Share.ALL : 1;
          case SEMAPHORE -> random.nextInt(1, resource.limit() + 1);
          default -> 1;
        };
    return new SimWish(resource, permits);
  }

  CompletableFuture<? extends Lease> ask(
      Lockkeeper keeper, SplittableRandom random, AcquireOptions options) {
    return switch (resource.kind()) {
      case READ_WRITE_LOCK -> side(keeper).acquireAsync(options).toCompletableFuture();
      case SEMAPHORE ->
          keeper
              .semaphore(resource.name(), resource.limit())
              .acquireAsync(permits, options)
              .toCompletableFuture();
      default -> lock(keeper, random).acquireAsync(options).toCompletableFuture();
    };
  }

  private DistributedLock lock(Lockkeeper keeper, SplittableRandom random) {
    LockOptions options = LockOptions.defaults().withMaxLocalHandoffs(random.nextInt(0, 65));
    if (random.nextInt(4) == 0) {
      options = options.withRetention(Duration.ofMillis(random.nextInt(50, 2_000)));
    }
    return random.nextInt(5) < 2
        ? keeper.fairLock(resource.name(), options)
        : keeper.lock(resource.name(), options);
  }

  private DistributedLock side(Lockkeeper keeper) {
    ReadWriteOptions order = ReadWriteOptions.defaults();
    DistributedReadWriteLock lock =
        keeper.readWriteLock(
            resource.name(), resource.readersPass() ? order.withReadersPreferred() : order);
    return permits == Share.ALL ? lock.writeLock() : lock.readLock();
  }

  /** Returns how much of the resource a lease has that was got with this wish. */
  long weight(Lease lease) {
    return lease instanceof PermitLease some ? some.permits() : permits;
  }

  /** Returns whether nobody may hold any of the resource beside it. */
  boolean isForAlone() {
    return resource.kind().isExclusive() || permits == Share.ALL;
  }
}
