package io.lockkeeper.bench;

import io.lockkeeper.bench.Growth.Point;
import io.lockkeeper.bench.Growth.Series;
import io.lockkeeper.lab.report.Machine;
import io.lockkeeper.lab.report.Numbers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how cost grows, and writes a page. */
@Command(
    name = "growth",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures how Lockkeeper's cost grows: about half an hour.",
      "What is not measured again keeps the figures of the run before."
    })
final class GrowthCommand implements Callable<Integer> {

  private static final int ROUND_SECONDS = 3;

  @Option(
      names = "--what",
      split = ",",
      paramLabel = "WHAT",
      description = "only these: ${COMPLETION-CANDIDATES}")
  private Set<Growing> what = EnumSet.allOf(Growing.class);

  @Option(
      names = "--most",
      paramLabel = "N",
      description = "no size above this (default: all sizes)")
  private long most = Long.MAX_VALUE;

  @Mixin private OutFolder out = new OutFolder();

  private final Progress progress = new Progress(System.out);

  @Override
  public Integer call() throws Exception {
    Path folder = out.path();
    for (Growing growing : what) {
      Optional<Series> series = measure(growing);
      if (series.isPresent()) {
        Growth.read(folder).with(series.get()).write(folder);
      }
    }
    new GrowthPage(Growth.read(folder)).write(folder);
    System.out.println("Report: " + folder.resolve("scale.md"));
    return 0;
  }

  private Optional<Series> measure(Growing growing) throws Exception {
    double loadBefore = Machine.loadAverage();
    long startNanos = System.nanoTime();
    List<Point> points = new ArrayList<>();
    String server = "";
    for (long size : growing.sizes()) {
      if (size <= most) {
        progress.say("%s: %,d ...", growing.title(), size);
        try (Arena arena = growing.open(size);
            Field field = new Field(arena, TimeUnit.SECONDS.toNanos(ROUND_SECONDS))) {
          Point point = growing.measure(field, size);
          server = arena.description();
          points.add(point);
          progress.say("%,.0f/s, %s", point.perSecond(), Numbers.time(point.serverMicros()));
        }
      }
    }
    if (points.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Series(
            growing,
            out.commandLine(),
            Machine.here().inALine(),
            Machine.jdk(),
            server,
            loadBefore,
            ROUND_SECONDS,
            TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos),
            points));
  }
}
