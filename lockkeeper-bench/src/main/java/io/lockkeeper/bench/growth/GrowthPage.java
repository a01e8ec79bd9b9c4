package io.lockkeeper.bench.growth;

import io.lockkeeper.lab.report.LineChart;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The page that says how cost grows, with a plot for each thing that grows. */
final class GrowthPage {

  private static final String COLOR = "#1f77b4";
  private static final String OTHER_COLOR = "#d62728";
  private static final double LEAST = 1e-3;
  private static final int CLUSTER = 16;
  private static final double GIBIBYTE = 1 << 30;
  private static final double BUSY = 0.7;
  private static final double MICROS_PER_SECOND = 1e6;

  private final Growth growth;

  GrowthPage(Growth growth) {
    this.growth = growth;
  }

  void write(Path folder) throws IOException {
    Path plots = folder.resolve("scale");
    Files.createDirectories(plots);
    StringBuilder text = new StringBuilder(opening());
    for (Growing growing : Growing.values()) {
      Optional<Series> series = growth.of(growing);
      text.append(series.map(GrowthPage::section).orElseGet(() -> missing(growing)));
      if (series.isPresent()) {
        Files.writeString(plots.resolve(file(growing)), plot(series.get()));
      }
    }
    text.append(carries());
    Files.writeString(folder.resolve("scale.md"), text);
  }

  private String opening() {
    return """
        # How cost grows

        What a server pays when something grows, and what follows for how much it carries. The server is Redis where
        nothing else is said; [ten thousand clients](scale-simulated.md) are simulated. This page and
        its plots are made by the runs themselves; do not edit them. To make them anew, all at once or one after the other:

            lockkeeper-bench/run growth --out docs
            lockkeeper-bench/run growth --what WAITERS --out docs

        A run that leaves sizes out, or whose rounds are shorter than 3 s, is marked as too short, and not written here.
        All clients are in one JVM on the same machine, so they and the server share its cores: rates and times
        are those of a small machine, the server's processor time is its own. The law is the simplest one that meets
        the server's time for one operation; the exponent is the slope where both are drawn by their logarithms:
        0 is constant, 1 linear.

        %s
        %s"""
        .formatted(overview(), settings());
  }

  private String overview() {
    MarkdownTable table =
        new MarkdownTable("what grows", "from", "to", "one", "server's time", "law", "exponent");
    for (Series series : growth.series()) {
      Growing growing = series.what();
      table.row(
          growing.title(),
          Numbers.count(series.first().size()),
          Numbers.count(series.last().size()),
          growing.operation(),
          Numbers.time(series.first().serverMicros())
              + " to "
              + Numbers.time(series.last().serverMicros()),
          Law.of(series.points()).toString(),
          exponent(series.points()));
    }
    return growth.series().isEmpty() ? "Nothing is measured yet.\n" : table.toString();
  }

  private String settings() {
    MarkdownTable table =
        new MarkdownTable(
            "what grows", "command", "machine", "JDK", "server", "load before", "took");
    for (Series series : growth.series()) {
      table.row(
          series.what().title(),
          "`" + series.command() + "`",
          series.machine(),
          series.jdk(),
          series.server(),
          Numbers.threeDigits(series.loadBefore()),
          series.tookSeconds() + " s");
    }
    return growth.series().isEmpty() ? "" : "\n" + table;
  }

  /**
   * Returns the slope of the server's time over the size where both are drawn by their logarithms.
   */
  private static String exponent(List<Point> points) {
    return points.size() < 2 ? "–" : String.format(Locale.ROOT, "%.2f", slope(points));
  }

  private static double slope(List<Point> points) {
    List<Point> used = points.stream().filter(point -> point.size() > 0).toList();
    double meanX =
        used.stream().mapToDouble(point -> Math.log((double) point.size())).average().orElse(0);
    double meanY =
        used.stream()
            .mapToDouble(point -> Math.log(Math.max(LEAST, point.serverMicros())))
            .average()
            .orElse(0);
    double covariance = 0;
    double variance = 0;
    for (Point point : used) {
      double x = Math.log((double) point.size()) - meanX;
      covariance += x * (Math.log(Math.max(LEAST, point.serverMicros())) - meanY);
      variance += x * x;
    }
    return covariance / variance;
  }

  private static String file(Growing growing) {
    return growing.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".svg";
  }

  private static String plot(Series series) {
    List<Point> points = series.points();
    String title = series.what().title();
    LineChart chart =
        new LineChart(
            series.wasTooShort() ? title + " (too short)" : title,
            title.toLowerCase(Locale.ROOT),
            points.stream().map(point -> Numbers.count(point.size())).toList());
    chart.add("server's time", COLOR, values(points, Point::serverMicros));
    chart.add("p99", OTHER_COLOR, values(points, Point::p99Micros));
    return chart.draw(Numbers::time);
  }

  private static List<Double> values(List<Point> points, ToDoubleFunction<Point> value) {
    return points.stream()
        .map(value::applyAsDouble)
        .map(number -> Double.isNaN(number) ? 0.0 : number)
        .toList();
  }

  private static String missing(Growing growing) {
    return "\n## %s\n\n%s. Not measured yet: `lockkeeper-bench/run growth --what %s --out docs`.\n"
        .formatted(growing.title(), capital(growing.what()), growing);
  }

  private static String section(Series series) {
    Growing growing = series.what();
    List<Point> points = series.points();
    boolean isWeighed = !growing.bytes().isEmpty();
    MarkdownTable table =
        new MarkdownTable(
            "size",
            growing.operation() + ", in a second",
            "server's time",
            "commands",
            "p50",
            "p99",
            isWeighed ? growing.bytes() : "memory");
    for (Point point : points) {
      table.row(
          Numbers.count(point.size()),
          Numbers.count(point.perSecond()),
          "%s (%s to %s)"
              .formatted(
                  Numbers.time(point.serverMicros()),
                  Numbers.time(point.leastServerMicros()),
                  Numbers.time(point.mostServerMicros())),
          Numbers.threeDigits(point.commands()),
          Double.isNaN(point.p50Micros()) ? "" : Numbers.time(point.p50Micros()),
          Double.isNaN(point.p99Micros()) ? "" : Numbers.time(point.p99Micros()),
          isWeighed ? Numbers.count(point.bytes()) + " B" : "");
    }
    return "\n## %s\n\n%s.\n\n%s![%s](scale/%s)\n\n%s"
        .formatted(
            growing.title(),
            capital(growing.what()),
            series.wasTooShort() ? "**" + Series.TOO_SHORT + "**\n\n" : "",
            growing.title(),
            file(growing),
            table);
  }

  private static String capital(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private String carries() {
    return """

        ## What a server carries

        Redis executes commands on one thread. With %.0f %% of it used, so that waits stay short, one core carries
        that share of a second divided by the server's time for one operation, at the largest size above. A cluster of 16
        masters carries 16 times as much of what is on many names. Of one name it carries what one core does; threads of
        one client that share a lock cost it nothing, since they pass it on among themselves. An ensemble of ZooKeeper
        carries out every change on each of its servers, so that three of them carry what one of them does, less what their
        agreeing costs. The time of all three divided by three is that of one, if each has a core.

        %s"""
        .formatted(
            100 * BUSY, growth.series().isEmpty() ? "Nothing is measured yet.\n" : amounts());
  }

  private String amounts() {
    MarkdownTable table = new MarkdownTable("what", "arithmetic", "one core", "a cluster of 16");
    for (Growing growing : EnumSet.complementOf(EnumSet.of(Growing.FOREIGN_KEYS))) {
      growth
          .of(growing)
          .map(Series::last)
          .filter(it -> it.serverMicros() > 0)
          .ifPresent(point -> amount(table, growing, point));
    }
    return table.toString();
  }

  private static String inCluster(Growing growing, String amount) {
    if (growing == Growing.ENSEMBLE) {
      return "–";
    }
    return growing.isOneName() ? "the same: one name is in one slot" : amount;
  }

  private static void amount(MarkdownTable table, Growing growing, Point point) {
    double micros = point.serverMicros() / (growing == Growing.ENSEMBLE ? point.size() : 1);
    double most = BUSY * MICROS_PER_SECOND / micros;
    String unit = growing == Growing.LEASES ? " leases held" : "/s";
    table.row(
        "%s, %s: %s".formatted(growing.title(), Numbers.count(point.size()), growing.operation()),
        "%s s / %s".formatted(BUSY, Numbers.time(micros)),
        Numbers.count(most) + unit,
        inCluster(growing, Numbers.count(CLUSTER * most) + unit));
    if (growing == Growing.WAITERS) {
      table.row(
          "the last of so many waits",
          "%s x %s"
              .formatted(
                  Numbers.count(point.size()), Numbers.time(MICROS_PER_SECOND / point.perSecond())),
          Numbers.time(point.size() * MICROS_PER_SECOND / point.perSecond()),
          "the same");
    }
    if (!Double.isNaN(point.bytes())) {
      table.row(
          growing.title() + ": " + growing.bytes(),
          "2^30 B / %s B".formatted(Numbers.count(point.bytes())),
          Numbers.count(GIBIBYTE / point.bytes()) + " in a GiB",
          "");
    }
  }
}
