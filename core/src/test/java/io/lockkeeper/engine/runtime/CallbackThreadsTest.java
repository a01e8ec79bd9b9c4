package io.lockkeeper.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.engine.Deadlines;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallbackThreadsTest {

  private final List<Thread> made = new CopyOnWriteArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private volatile int limit = Integer.MAX_VALUE;
  private final CallbackThreads threads =
      new CallbackThreads(this::make, (what, failure) -> failures.add(failure));

  private Thread make(Runnable task) {
    if (made.size() >= limit) {
      throw new OutOfMemoryError("unable to create native thread (made up)");
    }
    Thread thread = DaemonThreads.create(task, "callback under test");
    made.add(thread);
    return thread;
  }

  @AfterEach
  void closingEndsAllThreads() {
    threads.close();
    await().atMost(Deadlines.GENEROUS).until(() -> made.stream().noneMatch(Thread::isAlive));
  }

  @Test
  void theFirstThreadIsThereFromTheStart() {
    assertThat(made).hasSize(1);
  }

  @Test
  void tasksThatBlockGetFurtherThreadsUpToFour() throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(CallbackThreads.MOST);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    for (int i = 0; i < 1_000; i++) {
      threads.execute(
          () -> {
            busy.countDown();
            awaitQuietly(end);
            done.incrementAndGet();
          });
    }
    busy.await();
    assertThat(made).hasSize(CallbackThreads.MOST);
    end.countDown();

    await().atMost(Deadlines.GENEROUS).until(() -> done.get() == 1_000);
    assertThat(made).hasSize(CallbackThreads.MOST);
  }

  @Test
  void withoutAnyMoreThreadsTheFirstOneRunsItAll() {
    limit = 1;
    List<Integer> ran = Collections.synchronizedList(new ArrayList<>());
    Set<Thread> runners = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 100; i++) {
      int number = i;
      threads.execute(
          () -> {
            runners.add(Thread.currentThread());
            ran.add(number);
          });
    }

    await().atMost(Deadlines.GENEROUS).until(() -> ran.size() == 100);
    assertThat(ran).isSorted();
    assertThat(runners).containsExactlyElementsOf(made);
  }

  @Test
  void whatATaskThrowsIsReportedAndTheNextOneRuns() {
    limit = 1;
    Error failure = new NoClassDefFoundError("made up");
    AtomicInteger ran = new AtomicInteger();
    threads.execute(
        () -> {
          throw failure;
        });
    threads.execute(ran::incrementAndGet);

    await().atMost(Deadlines.GENEROUS).until(() -> ran.get() == 1);
    assertThat(failures).containsExactly(failure);
  }

  @Test
  void anInterruptThatATaskLeavesBehindHarmsNobody() {
    limit = 1;
    AtomicInteger ran = new AtomicInteger();
    threads.execute(() -> Thread.currentThread().interrupt());
    threads.execute(ran::incrementAndGet);

    await().atMost(Deadlines.GENEROUS).until(() -> ran.get() == 1);
    threads.execute(ran::incrementAndGet);
    await().atMost(Deadlines.GENEROUS).until(() -> ran.get() == 2);
  }

  @Test
  void whatComesAfterTheEndIsRunAllTheSame() {
    threads.close();
    await().atMost(Deadlines.GENEROUS).until(() -> made.stream().noneMatch(Thread::isAlive));
    AtomicInteger ran = new AtomicInteger();
    threads.execute(ran::incrementAndGet);

    await().atMost(Deadlines.GENEROUS).until(() -> ran.get() == 1);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
