package io.lockkeeper.lab.soak;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.Table;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Uses one Redis server for long, and watches whether anything grows. */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Uses a Redis server for long, at a small rate, and watches whether anything grows. Prints"
            + " the samples as CSV, and in the end the medians of the second and the last quarter.")
public final class SoakCommand implements Callable<Integer> {

  private static final double MILLIS_PER_MINUTE = 60_000;
  private static final Duration REST = Duration.ofMinutes(3);
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  /** Clients come and go, and some leases are lost on purpose: that is no news here. */
  private static final Logger LOG = Logger.getLogger("io.lockkeeper");

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "length of the load (default: ${DEFAULT-VALUE})")
  private double minutes = 60;

  @Option(
      names = "--names",
      paramLabel = "N",
      description = "resources of each type (default: ${DEFAULT-VALUE})")
  private int names = 2_000;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "holds per second, of all threads together (default: ${DEFAULT-VALUE})")
  private double rate = 200;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    LOG.setLevel(Level.SEVERE);
    Duration time = Duration.ofMillis(Math.round(minutes * MILLIS_PER_MINUTE));
    List<Map<String, Double>> samples =
        new Soak(time, REST, INTERVAL, names, rate).run(spec.commandLine().getOut());
    PrintWriter err = spec.commandLine().getErr();
    trends(samples).forEach(err::println);
    err.flush();
    double errors = samples.get(samples.size() - 1).getOrDefault("errors", 0.0);
    return errors == 0 ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private static List<String> trends(List<Map<String, Double>> samples) {
    List<Map<String, Double>> loaded =
        samples.stream().filter(sample -> sample.getOrDefault("closed", 0.0) == 0).toList();
    Table table = new Table("under load", "second quarter", "last quarter", "most after the first");
    for (String name : samples.get(0).keySet()) {
      List<Double> trend = trend(loaded.stream().map(it -> it.getOrDefault(name, 0.0)).toList());
      table.row(Stream.concat(Stream.of(name), trend.stream().map("%.0f"::formatted)).toArray());
    }
    return table.lines();
  }

  /**
   * Returns the medians of a figure over the second and the last quarter, and the largest after the
   * first. That is left out: classes load, the JIT compiles, and caches fill.
   */
  static List<Double> trend(List<Double> values) {
    int quarter = values.size() / 4;
    List<Double> later = values.subList(quarter, values.size());
    return List.of(
        median(later.subList(0, quarter)),
        median(values.subList(values.size() - quarter, values.size())),
        later.isEmpty() ? 0.0 : Collections.max(later));
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int size = sorted.size();
    return size == 0 ? 0.0 : (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
  }
}
