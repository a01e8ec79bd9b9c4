package io.lockkeeper.engine.runtime;

import io.lockkeeper.engine.TwoThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two threads with a {@link SerialExecutor}, in thread schedules that a model checker chooses. */
class SerialExecutorSchedulesTest {

  /** Enough for the planted errors that the decision record names; takes a few seconds. */
  private static final int SCHEDULES = 200;

  private static final int MANY_SCHEDULES = 5_000;

  @Test
  void effectsAreCarriedOutOnceInTheOrderOfTheDecisions() {
    Lincheck.runConcurrentTest(SCHEDULES, SerialExecutorSchedulesTest::twoThreadsAddAndDrain);
  }

  @Test
  @Tag("slow")
  void effectsAreCarriedOutOnceInTheOrderOfTheDecisionsInManySchedules() {
    Lincheck.runConcurrentTest(MANY_SCHEDULES, SerialExecutorSchedulesTest::twoThreadsAddAndDrain);
  }

  private static void twoThreadsAddAndDrain() {
    Decisions decisions = new Decisions();
    TwoThreads.run(decisions::step);
    // Not AssertJ's: the checker would explore that too.
    if (!decisions.carriedOut.equals(List.of(1, 2))) {
      throw new AssertionError("carried out: " + decisions.carriedOut);
    }
  }

  /** A state that counts, and its effects. */
  private static final class Decisions {

    private final SerialExecutor queue =
        new SerialExecutor("it", Runnable::run, (what, failure) -> {});
    private final ReentrantLock mutex = new ReentrantLock();
    private int decided;

    /** Written without a lock, so effects that run side by side spoil it. */
    final List<Integer> carriedOut = new ArrayList<>();

    void step() {
      mutex.lock();
      try {
        int number = ++decided;
        queue.add(() -> carriedOut.add(number));
      } finally {
        mutex.unlock();
      }
      queue.drain();
    }
  }
}
