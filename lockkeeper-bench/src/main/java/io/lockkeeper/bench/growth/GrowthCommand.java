package io.lockkeeper.bench.growth;

import io.lockkeeper.lab.report.Numbers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures how cost grows, and writes a page with plots. */
@Command(
    name = "growth",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures how Lockkeeper's cost on Redis grows: about ten minutes.")
public final class GrowthCommand implements Callable<Integer> {

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

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "how long what can be repeated is repeated (default: ${DEFAULT-VALUE})")
  private int seconds = 5;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "gets scale.md and the folder scale (default: ${DEFAULT-VALUE})")
  private Path out = Path.of("lockkeeper-bench/target");

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Map<Growing, List<Point>> results = new EnumMap<>(Growing.class);
    String server = "";
    for (Growing growing : what) {
      List<Point> points = new ArrayList<>();
      for (long size : growing.sizes()) {
        if (size <= most) {
          try (Field field = new Field()) {
            server = "Redis " + field.server().info("server").get("redis_version");
            Point point = growing.measure(field, size, TimeUnit.SECONDS.toNanos(seconds));
            points.add(point);
            say(growing, point);
          }
        }
      }
      results.put(growing, points);
    }
    new GrowthPage(results, commandLine(), server + " on loopback, nothing written to disk")
        .write(out);
    System.out.println("Report: " + out.resolve("scale.md"));
    return 0;
  }

  private static void say(Growing growing, Point point) {
    System.out.printf(
        Locale.ROOT,
        "%-30s %,9d: %,9.0f a second, %s of the server, %.1f commands, p50 %s, p99 %s, %,.0f B%n",
        growing.title(),
        point.size(),
        point.perSecond(),
        Numbers.time(point.serverMicros()),
        point.commands(),
        Numbers.time(point.p50Micros()),
        Numbers.time(point.p99Micros()),
        point.bytes());
  }

  private String commandLine() {
    List<String> args =
        spec == null ? List.of() : spec.commandLine().getParseResult().originalArgs();
    return ("lockkeeper-bench/run " + String.join(" ", args)).strip();
  }
}
