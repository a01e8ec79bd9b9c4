package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.load.Register;
import io.lockkeeper.lab.process.ParentProcess;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The coordinator, as a worker reaches it: it learns of progress, says when to end, and keeps the
 * guarded register, with a line for each write and a line for each answer, one at a time.
 */
final class CoordinatorLink implements Register {

  /** The answer to a write that was taken; any other says that it was refused. */
  static final String TAKEN = "taken";

  private final ParentProcess parent;
  private final ReentrantLock lock = new ReentrantLock();
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final CountDownLatch stop = new CountDownLatch(1);

  /** Listens from now on. */
  CoordinatorLink(ParentProcess parent) {
    this.parent = parent;
    Thread reader = new Thread(this::listen, "coordinator-link");
    reader.setDaemon(true);
    reader.start();
  }

  private void listen() {
    try {
      while (true) { // the process ends with its input
        String line = parent.lines().take();
        if (line.equals(WorkerOrder.STOP)) {
          stop.countDown();
        } else {
          answers.add(line);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells how often the worker has got what it wanted. */
  void tell(long acquisitions) {
    say(Long.toString(acquisitions));
  }

  private void say(String line) {
    parent.answers().println(line);
    parent.answers().flush();
  }

  /** Waits so long until the worker is to end; returns whether it is. */
  boolean awaitStop(long millis) throws InterruptedException {
    return stop.await(millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public boolean write(String resource, String actor, long call, long token) {
    lock.lock();
    try {
      say(resource + "\t" + actor + "\t" + call + "\t" + token);
      return answers.take().equals(TAKEN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      lock.unlock();
    }
  }
}
