package io.lockkeeper.lab.soak;

import io.lockkeeper.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A soak: clients of a real Redis server use many resources for long, at a small rate, while
 * samples are taken of what they and the server keep. The page is written anew with each sample, so
 * that a run that is broken off has one too.
 *
 * @param time how long it uses the store
 * @param rest how long it looks on after that, with all clients closed
 * @param interval between two samples
 * @param names how many resources it uses
 * @param perSecond how many uses of a resource are begun in a second
 */
record Soak(Duration time, Duration rest, Duration interval, int names, double perSecond) {

  /** Runs it, and writes {@code soak.md} and the folder {@code soak} into {@code out}. */
  List<Map<String, Double>> run(String commandLine, Path out) throws IOException {
    List<Map<String, Double>> samples = new ArrayList<>();
    try (RedisServer server = RedisServer.start();
        Load load = new Load(names, perSecond, server.url())) {
      String version = "Redis " + server.info("server").getOrDefault("redis_version", "?");
      SoakPage page = new SoakPage(commandLine, version, out);
      Gauge gauge = new Gauge(server, load);
      Random random = new Random(0); // visits alike in each run
      load.begin();
      long startNanos = System.nanoTime(); // however long the first connections take
      while (System.nanoTime() - startNanos < time.toNanos()) {
        load.visit(random);
        note(samples, gauge.take(false), page);
        pauseUntilNextSample(startNanos);
      }
      load.close();
      while (System.nanoTime() - startNanos < time.plus(rest).toNanos()) {
        note(samples, gauge.take(true), page);
        pauseUntilNextSample(startNanos);
      }
      note(samples, gauge.take(true), page);
    }
    return Collections.unmodifiableList(samples);
  }

  private static void note(
      List<Map<String, Double>> samples, Map<String, Double> sample, SoakPage page)
      throws IOException {
    if (samples.isEmpty()) {
      System.out.println(String.join(",", sample.keySet()));
    }
    System.out.println(SoakPage.line(sample));
    samples.add(sample);
    page.write(samples);
  }

  private void pauseUntilNextSample(long startNanos) {
    long past = (System.nanoTime() - startNanos) % interval.toNanos();
    long end = System.nanoTime() + interval.toNanos() - past;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
    }
  }
}
