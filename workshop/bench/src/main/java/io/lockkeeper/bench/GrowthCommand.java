package io.lockkeeper.bench;

import io.lockkeeper.bench.Growth.Point;
import io.lockkeeper.bench.Growth.Series;
import io.lockkeeper.lab.report.Machine;
import io.lockkeeper.lab.report.Numbers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
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
  private int most = Integer.MAX_VALUE;

  @Mixin private OutFolder out = new OutFolder();

  private final Progress progress = new Progress(System.out);

  @Override
  public Integer call() throws Exception {
    Path folder = out.path();
    for (Growing growing : what) {
      Series series = measure(growing);
      if (!series.points().isEmpty()) {
        Growth.read(folder).with(series).write(folder);
      }
    }
    new GrowthPage(Growth.read(folder)).write(folder);
    System.out.println("Report: " + folder.resolve("scale.md"));
    return 0;
  }

  private Series measure(Growing growing) throws Exception {
    double loadBefore = Machine.loadAverage();
    List<Point> points = new ArrayList<>();
    String server = "";
    for (int size : growing.sizes()) {
      if (size <= most) {
        progress.say("%s: %,d ...", growing.title, size);
        try (Arena arena = growing.open(size);
            Field field = new Field(arena)) {
          growing.measure(field, size);
          Point point = field.point(size);
          server = arena.description();
          points.add(point);
          progress.say("%,.0f/s, %s", point.perSecond(), Numbers.time(point.serverMicros()));
        }
      }
    }
    return new Series(
        growing,
        out.commandLine(),
        Machine.here().inALine(),
        Machine.jdk(),
        server,
        loadBefore,
        points);
  }
}
