package io.lockkeeper.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MigratingLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An application that moves from a lock of its own to one of this library. */
@SuppressWarnings("LockNotBeforeTry")
class MigratingLockTest {

  private final Lockkeeper keeper = Lockkeeper.connect("memory:migrating-lock-test");
  private final ReentrantLock oldLock = new ReentrantLock();
  private final Lock newLock = keeper.lock("a");
  private final MigratingLock both = new MigratingLock(oldLock, newLock);

  @AfterEach
  void close() {
    keeper.close();
  }

  /** Runs an action on a thread of its own, and returns what failed. */
  private static Throwable elsewhere(Runnable action) throws InterruptedException {
    Throwable[] failure = new Throwable[1];
    Thread thread = new Thread(action);
    thread.setUncaughtExceptionHandler((t, thrown) -> failure[0] = thrown);
    thread.start();
    thread.join();
    return failure[0];
  }

  @Test
  void itKeepsInstancesOutThatHaveOnlyOneOfBoth() throws Exception {
    both.lock();
    both.lock();
    both.unlock();
    assertThat(
            elsewhere(
                () -> {
                  assertThat(oldLock.tryLock()).isFalse();
                  assertThat(newLock.tryLock()).isFalse();
                  assertThat(both.tryLock()).isFalse();
                }))
        .isNull();
    both.unlock();
    assertThat(
            elsewhere(
                () -> {
                  both.lock();
                  both.unlock();
                }))
        .isNull();
  }

  @Test
  void oldAndMigratingAndNewInstancesExcludeTheirNeighbours() throws Exception {
    int[] shared = new int[2];
    List<Thread> threads = new ArrayList<>();
    for (Lock lock : List.of(oldLock, both, both)) {
      threads.add(new Thread(() -> count(lock, shared, 0)));
    }
    for (Lock lock : List.of(newLock, both, both)) {
      threads.add(new Thread(() -> count(lock, shared, lock.equals(newLock) ? 1 : 0)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(shared).containsExactly(500, 100);
  }

  private static void count(Lock lock, int[] shared, int at) {
    for (int i = 0; i < 100; i++) {
      lock.lock();
      try {
        shared[at]++;
      } finally {
        lock.unlock();
      }
    }
  }

  @Test
  void whatDoesNotGetTheNewLockReleasesTheOldOne() throws Exception {
    newLock.lock();
    assertThat(
            elsewhere(
                () -> {
                  assertThat(both.tryLock()).isFalse();
                  assertThat(oldLock.isHeldByCurrentThread()).isFalse();
                  try {
                    assertThat(both.tryLock(10, TimeUnit.MILLISECONDS)).isFalse();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                  assertThat(oldLock.isHeldByCurrentThread()).isFalse();
                  Thread.currentThread().interrupt();
                  assertThatThrownBy(both::lockInterruptibly)
                      .isInstanceOf(InterruptedException.class);
                  assertThat(oldLock.isHeldByCurrentThread()).isFalse();
                }))
        .isNull();
    assertThat(oldLock.isLocked()).isFalse();
    newLock.unlock();

    keeper.close();
    assertThatThrownBy(both::lock).isInstanceOf(RuntimeException.class);
    assertThat(oldLock.isLocked()).isFalse();
  }

  @Test
  void theOldLockIsReleasedAlsoIfTheReleaseOfTheNewOneFails() {
    both.lock();
    keeper.close();
    assertThatThrownBy(both::unlock).isInstanceOf(RuntimeException.class);
    assertThat(oldLock.isLocked()).isFalse();
  }

  @Test
  void conditionsAreNotSupported() {
    assertThatThrownBy(both::newCondition).isInstanceOf(UnsupportedOperationException.class);
  }
}
