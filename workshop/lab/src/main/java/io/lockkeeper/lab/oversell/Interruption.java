package io.lockkeeper.lab.oversell;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.oversell.contest.Contest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What happens when the user breaks off a contest (Ctrl-C, a hang-up, an ordinary kill): the
 * workers and the embedded server end, a store that was there before is left as it was, and nothing
 * is said about workers that ended too soon, which they did on purpose. The process ends with the
 * status of the signal.
 */
final class Interruption implements AutoCloseable {

  /** The signal reaches all processes of a terminal at once, a worker perhaps before this one. */
  private static final long SIGNAL_SPREAD_MILLIS = 300;

  /** A contest at work. */
  interface Work<T> {
    T run() throws InterruptedException;
  }

  private final Contest contest;
  private final Venue venue;
  private final Thread hook = new Thread(this::breakOff, "lockkeeper-oversell-interrupted");
  private final CountDownLatch brokenOff = new CountDownLatch(1);

  Interruption(Contest contest, Venue venue) {
    this.contest = contest;
    this.venue = venue;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void breakOff() {
    brokenOff.countDown();
    contest.close();
    if (!venue.isEmbedded()) {
      try {
        contest.clear();
      } catch (CannotRunException e) {
        // nobody is left to tell
      }
    }
  }

  /** Does the work; should it fail because it is being broken off, waits for the end of the JVM. */
  <T> T silently(Work<T> work) throws InterruptedException {
    try {
      return work.run();
    } catch (CannotRunException e) {
      if (brokenOff.await(SIGNAL_SPREAD_MILLIS, TimeUnit.MILLISECONDS)) {
        new CountDownLatch(1).await();
      }
      throw e;
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // it runs
    }
  }
}
