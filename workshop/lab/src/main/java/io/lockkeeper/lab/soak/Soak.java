package io.lockkeeper.lab.soak;

import io.lockkeeper.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A soak: clients of a real Redis server use many resources for long, at a small rate, while
 * samples are taken of what they and the server keep. The page is written anew with each sample, so
 * that a run that is broken off has one too.
 */
public final class Soak {

  private final SoakPlan plan;
  private final String commandLine;
  private final List<Sample> samples = new ArrayList<>();

  /** Creates one that was called by {@code commandLine}. */
  public Soak(SoakPlan plan, String commandLine) {
    this.plan = plan;
    this.commandLine = commandLine;
  }

  /** Runs it, and writes {@code soak.md} and the folder {@code soak} into {@code out}. */
  public List<Sample> run(Path out) throws IOException {
    Counts counts = new Counts();
    try (RedisServer server = RedisServer.start();
        Load load = new Load(plan, server.url(), counts)) {
      String version = "Redis " + server.info("server").getOrDefault("redis_version", "?");
      SoakPage page = new SoakPage(commandLine, version, out);
      Gauge gauge = new Gauge(server, counts);
      Random random = new Random(plan.seed() - 1); // visits alike in each run
      load.begin();
      long startNanos = System.nanoTime(); // however long the first connections take
      while (System.nanoTime() - startNanos < plan.load().toNanos()) {
        load.visit(random);
        note(gauge.take(false), page);
        pauseUntilNextSample(startNanos);
      }
      load.end();
      while (System.nanoTime() - startNanos < plan.load().plus(plan.rest()).toNanos()) {
        note(gauge.take(true), page);
        pauseUntilNextSample(startNanos);
      }
      note(gauge.take(true), page);
    }
    return Collections.unmodifiableList(samples);
  }

  private void note(Sample sample, SoakPage page) throws IOException {
    if (samples.isEmpty()) {
      System.out.println(Sample.header());
    }
    System.out.println(sample.line());
    samples.add(sample);
    page.write(samples);
  }

  private void pauseUntilNextSample(long startNanos) {
    long interval = plan.interval().toNanos();
    long past = (System.nanoTime() - startNanos) % interval;
    long end = System.nanoTime() + interval - past;
    for (long left = interval - past; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
    }
  }
}
