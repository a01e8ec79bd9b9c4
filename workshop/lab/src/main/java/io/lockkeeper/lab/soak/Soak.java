package io.lockkeeper.lab.soak;

import io.lockkeeper.servers.RedisServer;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * A soak: clients of a real Redis server use many resources for long, at a small rate, while
 * samples are taken of what they and the server keep.
 *
 * @param time how long it uses the store
 * @param rest how long it looks on after that, with all clients closed
 * @param interval between two samples
 * @param names how many resources it uses
 * @param perSecond how many uses of a resource are begun in a second
 */
record Soak(Duration time, Duration rest, Duration interval, int names, double perSecond) {

  /** Runs it, and writes each sample as a line of a table in CSV. */
  List<Map<String, Double>> run(PrintWriter out) {
    List<Map<String, Double>> samples = new ArrayList<>();
    try (RedisServer server = RedisServer.start();
        Uses uses = new Uses(names, perSecond, server.url())) {
      Gauge gauge = new Gauge(server, uses);
      Random random = new Random(0); // visits alike in each run
      uses.begin();
      long startNanos = System.nanoTime(); // however long the first connections take
      while (System.nanoTime() - startNanos < time.toNanos()) {
        uses.visit(random);
        note(samples, gauge.take(false), out);
        pauseUntilNextSample(startNanos);
      }
      uses.end();
      while (System.nanoTime() - startNanos < time.plus(rest).toNanos()) {
        note(samples, gauge.take(true), out);
        pauseUntilNextSample(startNanos);
      }
      note(samples, gauge.take(true), out);
    }
    return samples;
  }

  private static void note(
      List<Map<String, Double>> samples, Map<String, Double> sample, PrintWriter out) {
    if (samples.isEmpty()) {
      out.println(String.join(",", sample.keySet()));
    }
    out.println(
        sample.entrySet().stream()
            .map(it -> text(it.getKey(), it.getValue()))
            .collect(Collectors.joining(",")));
    out.flush();
    samples.add(sample);
  }

  /** Returns a figure as text; of times a digit more. */
  static String text(String name, double value) {
    return String.format(Locale.ROOT, name.matches(".*(seconds|_ms)") ? "%.1f" : "%.0f", value);
  }

  private void pauseUntilNextSample(long startNanos) {
    long past = (System.nanoTime() - startNanos) % interval.toNanos();
    long end = System.nanoTime() + interval.toNanos() - past;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
    }
  }
}
