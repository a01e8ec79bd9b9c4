package io.lockkeeper.lab.oversell;

import io.lockkeeper.lab.oversell.contest.Progress;
import io.lockkeeper.lab.oversell.contest.VariantResult;
import io.lockkeeper.lab.oversell.strategy.Strategy;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Shows how a contest goes on: on a terminal one line per variant that changes in place, otherwise
 * plain lines, and not too many of them.
 */
final class ConsoleProgress implements Progress, AutoCloseable {

  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final String START_OF_LINE = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean terminal;
  private long lastPlainLine = System.nanoTime();
  private boolean inALine;

  ConsoleProgress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public void phase(Strategy strategy, String what) {
    live(line(strategy, what));
  }

  @Override
  public void orders(Strategy strategy, long done, long planned, long elapsedNanos) {
    String line = line(strategy, counts(done, planned, done * 1e9 / Math.max(1, elapsedNanos)));
    live(line);
    if (!terminal && System.nanoTime() - lastPlainLine > QUIET_NANOS) {
      plain(line);
    }
  }

  @Override
  public void finished(VariantResult result) {
    String line =
        line(
            result.strategy(),
            counts(result.ordersDone(), result.ordersPlanned(), result.ordersPerSecond()));
    live(line);
    if (!terminal) {
      plain(line);
    }
    close();
  }

  /** Ends the line that changes, so that what follows gets one of its own. */
  @Override
  public void close() {
    if (inALine) {
      out.println();
      out.flush();
      inALine = false;
    }
  }

  private static String line(Strategy strategy, String text) {
    return String.format(Locale.ROOT, "%-8s  %s", strategy.name(), text);
  }

  private static String counts(long done, long planned, double perSecond) {
    return String.format(
        Locale.ROOT, "%,7d of %,d orders  %,9.0f orders/s", done, planned, perSecond);
  }

  private void live(String line) {
    if (terminal) {
      out.print(START_OF_LINE + line);
      out.flush();
      inALine = true;
    }
  }

  private void plain(String line) {
    out.println(line);
    out.flush();
    lastPlainLine = System.nanoTime();
  }
}
