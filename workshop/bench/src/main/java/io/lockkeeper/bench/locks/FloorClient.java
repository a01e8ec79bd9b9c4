package io.lockkeeper.bench.locks;

import io.lockkeeper.lab.oversell.Guard;
import io.lockkeeper.lab.oversell.GuardContext;
import io.lockkeeper.lab.oversell.Guards;
import io.lockkeeper.lab.oversell.Points;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The lock that people write themselves with a driver alone, as a scene has it. */
final class FloorClient implements LockClient {

  /** Nothing is held for so long here. */
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final Guards guards;

  FloorClient(String url) {
    long owner = ThreadLocalRandom.current().nextLong();
    guards = Guards.handWritten(new GuardContext(url, url, 1, owner, LEASE, Points.NONE));
  }

  @Override
  public ContestedLock lock(Contender contender, String name) {
    return new Taken(guards.guard().apply(name));
  }

  @Override
  public void close() {
    guards.end().run();
  }

  private record Taken(Guard guard) implements ContestedLock {

    @Override
    public void lock() {
      Waits.uninterrupted(guard::enter);
    }

    @Override
    public void unlock() {
      guard.exit();
    }
  }
}
