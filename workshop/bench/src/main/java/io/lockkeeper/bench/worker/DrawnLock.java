package io.lockkeeper.bench.worker;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.ContestedLock;
import io.lockkeeper.bench.locks.LockClient;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Another one of {@link Names#COUNT} locks each time, drawn by one thread. */
final class DrawnLock implements ContestedLock {

  private final ContestedLock[] locks;
  private final SplittableRandom random;
  private ContestedLock drawn;

  /**
   * Gets all the locks from the client.
   *
   * @param seed for what is drawn
   */
  DrawnLock(LockClient client, Contender contender, String name, long seed) {
    locks =
        IntStream.range(0, Names.COUNT)
            .mapToObj(i -> client.lock(contender, name + ":" + i))
            .toArray(ContestedLock[]::new);
    random = new SplittableRandom(seed + ProcessHandle.current().pid());
    drawn = locks[0];
  }

  @Override
  public void lock() {
    drawn = locks[random.nextInt(locks.length)];
    drawn.lock();
  }

  @Override
  public void unlock() {
    drawn.unlock();
  }
}
