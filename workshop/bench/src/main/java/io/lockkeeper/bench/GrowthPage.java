package io.lockkeeper.bench;

import io.lockkeeper.bench.Growth.Point;
import io.lockkeeper.bench.Growth.Series;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.Numbers;
import io.lockkeeper.lab.report.ResultsPart;
import io.lockkeeper.lab.report.SettingList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;

/** The page that says how cost grows. */
final class GrowthPage {

  private static final double BUSY = 0.7;
  private static final double MICROS_PER_SECOND = 1e6;

  private final Growth growth;

  GrowthPage(Growth growth) {
    this.growth = growth;
  }

  void write(Path folder) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(carries()).append("\n## Measured\n\n").append(measured());
    text.append('\n');
    for (Series series : growth.series()) {
      text.append("* *%s*: %s\n".formatted(series.what().title, series.what().what));
    }
    text.append("\n## Setting\n\n").append(setting());
    ResultsPart.write(folder.resolve("scale.md"), "How cost grows", text.toString());
  }

  private String setting() {
    SettingList list = new SettingList();
    list.add("command", "`workshop/bench/run growth --what WHAT --out docs`");
    add(list, "machine", Series::machine);
    add(list, "JDK", Series::jdk);
    add(list, "server", Series::server);
    add(list, "load average before", series -> Numbers.threeDigits(series.loadBefore()));
    return list.toString();
  }

  private void add(SettingList list, String what, Function<Series, String> value) {
    list.add(what, growth.series(), it -> "`" + it.what() + "`", value);
  }

  private String measured() {
    MarkdownTable table = new MarkdownTable("size", "per second", "server's time", "p50", "p99");
    for (Series series : growth.series()) {
      Growing growing = series.what();
      table.title(growing.title + ": " + growing.operation);
      series.points().forEach(point -> row(table, point));
    }
    return table.toString();
  }

  private static void row(MarkdownTable table, Point point) {
    table.row(
        Numbers.count(point.size()),
        Numbers.count(point.perSecond()),
        Numbers.spread(point.serverMicros(), point.leastServerMicros(), point.mostServerMicros()),
        Double.isNaN(point.p50Micros()) ? "" : Numbers.time(point.p50Micros()),
        Double.isNaN(point.p99Micros()) ? "" : Numbers.time(point.p99Micros()));
  }

  private String carries() {
    MarkdownTable table = new MarkdownTable("what grows", "one core carries", "memory for each");
    for (Series series : growth.series()) {
      Point most = series.points().get(series.points().size() - 1);
      table.row(
          series.what().title + ", to " + Numbers.count(most.size()),
          oneCore(series.what(), most),
          Double.isNaN(most.bytes())
              ? ""
              : Numbers.count(most.bytes()) + " B, " + series.what().bytes);
    }
    return table.toString();
  }

  /** Returns how many operations one core carries; each server of an ensemble has one. */
  private static String oneCore(Growing growing, Point point) {
    long servers = growing == Growing.ENSEMBLE ? point.size() : 1;
    String most = Numbers.count(servers * BUSY * MICROS_PER_SECOND / point.serverMicros());
    return switch (growing) {
      case FOREIGN_KEYS -> "";
      case LEASES -> most + " leases";
      default -> most + "/s";
    };
  }
}
