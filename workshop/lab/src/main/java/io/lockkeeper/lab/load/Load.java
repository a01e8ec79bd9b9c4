package io.lockkeeper.lab.load;

import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.Recorder;
import io.lockkeeper.lab.history.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** The threads of one process that use one client, until told to stop. */
public final class Load implements AutoCloseable {

  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final AtomicLong acquisitions = new AtomicLong();

  /**
   * Starts them.
   *
   * @param process what it is called in the history
   */
  public Load(
      String process,
      int size,
      LoadPlan plan,
      Subject subject,
      Register register,
      Recorder recorder) {
    for (int name = 0; name < plan.names(); name++) {
      String id = ResourceType.SEMAPHORE.id("r" + name);
      recorder.record(
          Event.of(System.nanoTime(), process, EventKind.LIMIT, id, 0).with(plan.permits(), ""));
    }
    for (int number = 0; number < size; number++) {
      String actor = process + "#" + number;
      LoadThread work =
          new LoadThread(actor, number, plan, subject, register, recorder, stop, acquisitions);
      Thread thread = new Thread(work, "load-" + actor);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  /** Returns how often they have got what they asked for. */
  public long acquisitions() {
    return acquisitions.get();
  }

  /** Has them begin nothing more. */
  public void stop() {
    stop.countDown();
  }

  /**
   * Waits for them to end after {@link #stop}.
   *
   * @return whether all have
   */
  public boolean join(long millis) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    for (Thread thread : threads) {
      thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
    }
    return threads.stream().noneMatch(Thread::isAlive);
  }

  /** Interrupts what still runs. */
  @Override
  public void close() {
    stop();
    threads.forEach(Thread::interrupt);
  }
}
