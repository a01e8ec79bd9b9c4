package io.lockkeeper.lab.torture;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What happens when the user breaks off a run (Ctrl-C, a hang-up, an ordinary kill): workers, also
 * those that are frozen just now, and servers end before the process does, with the status of the
 * signal; what goes wrong meanwhile is not told.
 */
final class StopSignal implements AutoCloseable {

  /** For how long the run may go on with what it is at; then it is interrupted. */
  private static final long GRACE_SECONDS = 3;

  private static final long PATIENCE_SECONDS = 20;

  /** Counted down when the run is to end. */
  private final CountDownLatch asked = new CountDownLatch(1);

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread runner = Thread.currentThread();
  private final Thread hook = new Thread(this::ask, "lockkeeper-torture-interrupted");

  StopSignal() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void ask() {
    asked.countDown();
    try {
      if (ended.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
      runner.interrupt();
      if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("lockkeeper: the run does not end; processes may be left");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  CountDownLatch asked() {
    return asked;
  }

  boolean isAsked() {
    return asked.getCount() == 0;
  }

  /** Waits for the end of the JVM, when everything of the run has ended. */
  void waitForTheEnd() throws InterruptedException {
    ended.countDown();
    Thread.interrupted(); // that was for the run
    new CountDownLatch(1).await();
  }

  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // it runs
    }
  }
}
