package io.lockkeeper.engine;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Explores how two threads can go through one coordinator at a time: its mutex, its state and its
 * outbox, over a store that answers on the calling thread.
 *
 * <p>They ask for the lock without waiting for it, so that a request that nobody serves shows as
 * one that is never completed. How a thread parks is another matter, which {@code WakeUpTest} looks
 * at.
 */
@Tag("slow")
@EnabledIfSystemProperty(
    named = "lockkeeper.lincheck.gates",
    matches = "true",
    disabledReason =
        "now and then Lincheck itself fails here; -Dlockkeeper.lincheck.gates=true tries it")
class CoordinatorSchedulesTest {

  private static final int SCHEDULES = 2_000;

  @Test
  void twoThreadsThatWantALockGetItOneAfterTheOther() {
    // In steps, because what takes very long at once is taken for hanging.
    Lincheck.runConcurrentTest(1, () -> new Passers().close());
    Lincheck.runConcurrentTest(1, CoordinatorSchedulesTest::oneThreadPasses);
    Lincheck.runConcurrentTest(SCHEDULES, CoordinatorSchedulesTest::twoThreadsPass);
  }

  private static void oneThreadPasses() {
    Passers passers = new Passers();
    passers.pass();
    passers.check(1);
    passers.close();
  }

  private static void twoThreadsPass() {
    Passers passers = new Passers();
    TwoThreads.run(passers::pass);
    passers.check(2);
    passers.close();
  }

  /** Takes a lock, and gives it back as soon as it has it. */
  private static final class Passers {

    private final Rig rig = Rig.obliging();
    private final DistributedLock lock = rig.keeper.lock("n");
    private final AtomicInteger passed = new AtomicInteger();

    /** Written without a lock of its own. */
    private int inside;

    private boolean met;

    void pass() {
      lock.acquireAsync().thenAccept(this::passThrough);
      rig.settle();
    }

    private void passThrough(Lease lease) {
      inside++;
      met |= inside != 1;
      inside--;
      lease.release();
      passed.incrementAndGet();
    }

    // Not AssertJ's: the checker would explore that too.
    void check(int expected) {
      if (met || passed.get() != expected) {
        throw new AssertionError(passed.get() + " of " + expected + " passed, met: " + met);
      }
    }

    void close() {
      rig.keeper.close();
    }
  }
}
