package io.lockkeeper.bench;

import java.io.PrintStream;
import java.util.Locale;

/** Tells a person what the run is doing: one line for each step, with the time since the start. */
final class Progress {

  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private final PrintStream out;
  private final long startNanos = System.nanoTime();

  /** Creates one that writes to {@code out}. */
  Progress(PrintStream out) {
    this.out = out;
  }

  /** Says something; the format is that of {@link String#format}. */
  void say(String format, Object... args) {
    long seconds = elapsedSeconds();
    out.printf(
        Locale.ROOT,
        "%02d:%02d  %s%n",
        seconds / 60,
        seconds % 60,
        String.format(Locale.ROOT, format, args));
  }

  long elapsedSeconds() {
    return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
  }
}
