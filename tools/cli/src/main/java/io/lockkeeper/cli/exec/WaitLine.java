package io.lockkeeper.cli.exec;

import io.lockkeeper.HolderReport;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.cli.console.WaitTime;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The line that names the holder that the command waits for: kept up to date on a terminal, then
 * wiped off.
 */
final class WaitLine implements AutoCloseable {

  private static final long FIRST_MILLIS = 300;
  private static final long NEXT_MILLIS = 2_000;
  private static final int WIDTH = 79;
  private static final String WIPE = "\r\033[K";

  private final Lockkeeper keeper;
  private final Wanted wanted;
  private final PrintWriter err;
  private final boolean isTerminal;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread = new Thread(this::show, "lockkeeper-exec-waiting");

  /** Begins; shows nothing if the lock comes at once. */
  WaitLine(Lockkeeper keeper, Wanted wanted, PrintWriter err, boolean isTerminal) {
    this.keeper = keeper;
    this.wanted = wanted;
    this.err = err;
    this.isTerminal = isTerminal;
    thread.setDaemon(true);
    thread.start();
  }

  private void show() {
    try {
      boolean ended = over.await(FIRST_MILLIS, TimeUnit.MILLISECONDS);
      while (!ended) {
        print("lockkeeper: waiting for '" + wanted.name() + "'" + who());
        ended = !isTerminal || over.await(NEXT_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String who() {
    try {
      return describe(keeper.admin().inspect(wanted.way().kind, wanted.name()), keeper.clientId());
    } catch (LockkeeperException e) {
      return ", and the store does not answer";
    }
  }

  /** Says who holds something and how many are before a client. */
  static String describe(ResourceReport report, String clientId) {
    StringBuilder text = new StringBuilder();
    if (!report.holders().isEmpty()) {
      HolderReport first = report.holders().get(0);
      text.append(", held by ").append(first.client());
      if (first.client().host() != null) {
        text.append(" (%s, process %d)".formatted(first.client().host(), first.client().pid()));
      }
      text.append(" for ").append(WaitTime.text(first.held()));
      if (report.holders().size() > 1) {
        text.append(" and ").append(report.holders().size() - 1).append(" more");
      }
    }
    long before =
        report.waiters().stream()
            .takeWhile(waiter -> !waiter.client().id().equals(clientId))
            .count();
    return text + (before == 0 ? "" : "; " + before + " before this");
  }

  private void print(String line) {
    if (!isTerminal) {
      err.println(line);
    } else {
      err.print(WIPE + (line.length() > WIDTH ? line.substring(0, WIDTH - 3) + "..." : line));
    }
    err.flush();
  }

  /** Ends it, and wipes the line off. */
  @Override
  public void close() {
    over.countDown();
    try {
      thread.join(Duration.ofSeconds(1).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (isTerminal) {
      err.print(WIPE);
      err.flush();
    }
  }
}
