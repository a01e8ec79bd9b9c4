package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.Recorder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Notices that this process did not run for a while, on a machine that has too much to do: that is
 * a fault like any other, and nobody's broken promise.
 */
final class StallWatch implements AutoCloseable {

  private static final long LOOK_MILLIS = 50;
  private static final long STALL_NANOS = 500_000_000;

  private final CountDownLatch stop = new CountDownLatch(1);
  private final String process;
  private final Recorder recorder;
  private final Thread thread = new Thread(this::watch, "stall-watch");

  StallWatch(String process, Recorder recorder) {
    this.process = process;
    this.recorder = recorder;
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    try {
      long before = System.nanoTime();
      while (!stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        long now = System.nanoTime();
        if (now - before > STALL_NANOS) {
          recorder.record(Event.ofRun(before, process, EventKind.FAULT, "did not run"));
          recorder.record(Event.ofRun(now, process, EventKind.HEALED, "ran again"));
        }
        before = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it; afterwards it records nothing more. */
  void stop() {
    stop.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    stop();
  }
}
