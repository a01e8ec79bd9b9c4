package io.lockkeeper.bench.locks;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A {@link Floor} as a library; a thread that finds a lock held asks again after a pause. */
final class FloorClient implements LockClient {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final String id = UUID.randomUUID().toString();
  private final Floor floor;

  FloorClient(Floor floor) {
    this.floor = floor;
  }

  @Override
  public ContestedLock lock(Contender contender, String name) {
    return new Taken(floor, name, id + ":" + Thread.currentThread().getId());
  }

  @Override
  public void close() {
    floor.close();
  }

  /** A lock of one thread. */
  private record Taken(Floor floor, String name, String owner) implements ContestedLock {

    @Override
    public void lock() {
      while (floor.take(name, owner) == 0) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    @Override
    public void unlock() {
      floor.giveBack(name, owner);
    }
  }
}
