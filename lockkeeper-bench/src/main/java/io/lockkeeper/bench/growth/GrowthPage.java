package io.lockkeeper.bench.growth;

import io.lockkeeper.lab.report.LineChart;
import io.lockkeeper.lab.report.Machine;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The page that says how cost grows, with a plot for each thing that grows. */
final class GrowthPage {

  private static final String COLOR = "#1f77b4";
  private static final String OTHER_COLOR = "#d62728";
  private static final double CONSTANT = 0.08;
  private static final double SLOW = 0.35;
  private static final double NEARLY_LINEAR = 0.75;
  private static final double BUSY = 0.7;
  private static final double MICROS_PER_SECOND = 1e6;

  private final Map<Growing, List<Point>> results;
  private final String command;
  private final String server;

  GrowthPage(Map<Growing, List<Point>> results, String command, String server) {
    this.results = results;
    this.command = command;
    this.server = server;
  }

  void write(Path folder) throws IOException {
    Path plots = folder.resolve("scale");
    Files.createDirectories(plots);
    StringBuilder text = new StringBuilder(opening());
    for (Map.Entry<Growing, List<Point>> result : results.entrySet()) {
      Files.writeString(plots.resolve(file(result.getKey())), plot(result));
      text.append(section(result.getKey(), result.getValue()));
    }
    text.append(carries());
    Files.writeString(folder.resolve("scale.md"), text);
  }

  private String opening() {
    return """
        # How cost grows

        What one Redis server pays when something grows, and what follows for how much it carries. This page and
        its plots are made by the run itself; do not edit them. To make them anew:

            %s

        | setting |  |
        |---|--:|
        | machine | %s |
        | JDK | %s |
        | server | %s |

        All clients are in one JVM on the same machine, so they and the server share its cores: rates and times
        are those of a small machine, the server's processor time is its own. The last column of the first table is
        the exponent by which the server's time for one operation grows: 0 is constant, 1 linear.

        %s
        """
        .formatted(command, Machine.here().inALine(), Machine.jdk(), server, overview());
  }

  private String overview() {
    MarkdownTable table =
        new MarkdownTable("what grows", "from", "to", "one", "server's time", "law", "exponent");
    results.forEach(
        (growing, points) -> {
          Point first = points.get(0);
          Point last = points.get(points.size() - 1);
          table.row(
              growing.title(),
              Numbers.count(first.size()),
              Numbers.count(last.size()),
              growing.operation(),
              Numbers.time(first.serverMicros()) + " to " + Numbers.time(last.serverMicros()),
              law(exponent(points)),
              String.format(Locale.ROOT, "%.2f", exponent(points)));
        });
    return table.toString();
  }

  /**
   * Returns the slope of the server's time over the size where both are drawn by their logarithms.
   */
  private static double exponent(List<Point> points) {
    List<Point> used = points.stream().filter(point -> point.size() > 0).toList();
    double meanX =
        used.stream().mapToDouble(point -> Math.log((double) point.size())).average().orElse(0);
    double meanY =
        used.stream().mapToDouble(point -> Math.log(point.serverMicros())).average().orElse(0);
    double covariance = 0;
    double variance = 0;
    for (Point point : used) {
      double x = Math.log((double) point.size()) - meanX;
      covariance += x * (Math.log(point.serverMicros()) - meanY);
      variance += x * x;
    }
    return covariance / variance;
  }

  private static String law(double exponent) {
    if (exponent < -CONSTANT) {
      return "falls: what leaves at once shares its cost";
    } else if (exponent < CONSTANT) {
      return "constant";
    } else if (exponent < SLOW) {
      return "slower than any root";
    }
    return exponent < NEARLY_LINEAR ? "about a root" : "linear";
  }

  private static String file(Growing growing) {
    return growing.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".svg";
  }

  private static String plot(Map.Entry<Growing, List<Point>> result) {
    List<Point> points = result.getValue();
    LineChart chart =
        new LineChart(
            result.getKey().title(),
            result.getKey().title().toLowerCase(Locale.ROOT),
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

  private static String section(Growing growing, List<Point> points) {
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
          Numbers.time(point.serverMicros()),
          Numbers.threeDigits(point.commands()),
          Double.isNaN(point.p50Micros()) ? "" : Numbers.time(point.p50Micros()),
          Double.isNaN(point.p99Micros()) ? "" : Numbers.time(point.p99Micros()),
          isWeighed ? Numbers.count(point.bytes()) + " B" : "");
    }
    return "\n## %s\n\n%s.\n\n![%s](scale/%s)\n\n%s"
        .formatted(growing.title(), capital(growing.what()), growing.title(), file(growing), table);
  }

  private static String capital(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private String carries() {
    MarkdownTable table = new MarkdownTable("what", "server's time", "a core carries", "16 cores");
    for (Map.Entry<Growing, List<Point>> result : results.entrySet()) {
      Growing growing = result.getKey();
      if (growing != Growing.FOREIGN_KEYS) {
        List<Point> points = result.getValue();
        double micros = points.get(points.size() - 1).serverMicros();
        double most = BUSY * MICROS_PER_SECOND / micros;
        table.row(
            "%s, %s: %s"
                .formatted(
                    growing.title(),
                    Numbers.count(points.get(points.size() - 1).size()),
                    growing.operation()),
            Numbers.time(micros),
            Numbers.count(most) + (growing == Growing.LEASES ? " leases" : "/s"),
            growing == Growing.CLIENTS || growing == Growing.WAITERS || growing == Growing.PERMITS
                ? "the same: one name is in one slot"
                : Numbers.count(16 * most));
      }
    }
    return """

        ## What a server carries

        Redis executes commands on one thread. With %.0f %% of it used, so that waits stay short, one core carries
        that share of a second divided by the server's time for one operation. A cluster of 16 masters carries 16 times as much of
        what is on many names. Of one name it carries what one core does; threads of one client that share
        a lock cost it nothing, since they pass it on among themselves.

        %s"""
        .formatted(100 * BUSY, table);
  }
}
