package io.lockkeeper.lab.soak;

import io.lockkeeper.lab.report.Machine;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.ResultsPart;
import io.lockkeeper.lab.report.SettingList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The page of a soak, and the file with its samples. */
final class SoakPage {

  private static final double BYTES_PER_MIB = 1 << 20;

  /** What the table shows, and how; sizes are in bytes, and shown in MiB. */
  private static final List<List<String>> ROWS =
      List.of(
          List.of("heap after collection, MiB", "heap_bytes"),
          List.of("live objects", "objects"),
          List.of("resident memory, MiB", "resident_bytes"),
          List.of("threads", "threads"),
          List.of("open files", "files"),
          List.of("longest use, ms", "slowest_ms"),
          List.of("server: used memory, MiB", "server_bytes"),
          List.of("server: keys", "server_keys"),
          List.of("server: keys without a time to live", "server_keys_that_stay"),
          List.of("server: connections", "server_clients"));

  private final String commandLine;
  private final String server;
  private final Path folder;

  SoakPage(String commandLine, String server, Path folder) {
    this.commandLine = commandLine;
    this.server = server;
    this.folder = folder;
  }

  void write(List<Map<String, Double>> samples) throws IOException {
    Path own = folder.resolve("soak");
    Files.createDirectories(own);
    List<String> lines = new ArrayList<>();
    lines.add(String.join(",", samples.get(0).keySet()));
    samples.forEach(sample -> lines.add(line(sample)));
    Files.write(own.resolve("soak.csv"), lines);
    ResultsPart.write(folder.resolve("soak.md"), "Soak", text(samples));
  }

  /** Returns a sample as a line of a table whose columns are separated by commas. */
  static String line(Map<String, Double> sample) {
    return sample.entrySet().stream()
        .map(it -> format(it.getKey().matches(".*(seconds|_ms)") ? "%.1f" : "%.0f", it.getValue()))
        .collect(Collectors.joining(","));
  }

  private static double of(Map<String, Double> sample, String name) {
    double value = sample.getOrDefault(name, 0.0);
    return name.endsWith("_bytes") ? value / BYTES_PER_MIB : value;
  }

  private static List<Double> values(List<Map<String, Double>> samples, String name) {
    return samples.stream().map(sample -> of(sample, name)).toList();
  }

  private String text(List<Map<String, Double>> samples) {
    List<Map<String, Double>> loaded =
        samples.stream().filter(sample -> of(sample, "closed") == 0).toList();
    Map<String, Double> last = samples.get(samples.size() - 1);
    return "    %s\n\n%s%s%s".formatted(commandLine, setting(last), trends(loaded), end(last));
  }

  private SettingList setting(Map<String, Double> last) {
    Map<String, String> versions = Machine.here().versions();
    double seconds = of(last, "seconds");
    SettingList list = new SettingList();
    list.add("machine", Machine.here().inALine());
    list.add(
        "JDK",
        format(
            "%s, at most %,.0f MiB of heap",
            Machine.jdk(), Runtime.getRuntime().maxMemory() / BYTES_PER_MIB));
    list.add("server", server + " on loopback, nothing written to disk");
    list.add(
        "versions",
        Stream.of("lettuce", "lockkeeper", "netty")
            .map(it -> it + " " + versions.getOrDefault(it, "?"))
            .collect(Collectors.joining(", ")));
    list.add(
        "uses",
        format(
            "%,.0f, of which %,.0f waited 3 s in vain, and %,.0f failed",
            of(last, "uses"), of(last, "timeouts"), of(last, "errors")));
    list.add(
        "processor time",
        format(
            "client %.1f %% of one processor, server %.1f %%",
            100 * of(last, "cpu_seconds") / seconds,
            100 * of(last, "server_cpu_seconds") / seconds));
    return list;
  }

  private static String trends(List<Map<String, Double>> loaded) {
    if (loaded.size() < 4) {
      return "";
    }
    MarkdownTable table =
        new MarkdownTable("under load", "second quarter", "last quarter", "most after the first");
    for (List<String> row : ROWS) {
      String pattern = row.get(1).endsWith("_bytes") ? "%,.2f" : "%,.0f";
      List<String> cells = new ArrayList<>(List.of(row.get(0)));
      trend(values(loaded, row.get(1))).forEach(figure -> cells.add(format(pattern, figure)));
      table.row(cells.toArray(String[]::new));
    }
    return "\n" + table;
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
        later.stream().mapToDouble(Double::doubleValue).max().orElse(0));
  }

  private static double median(List<Double> values) {
    int middle = values.size() / 2;
    return DoubleStream.of(values.stream().mapToDouble(Double::doubleValue).sorted().toArray())
        .skip(values.size() % 2 == 1 ? middle : middle - 1)
        .limit(values.size() % 2 == 1 ? 1 : 2)
        .average()
        .orElse(0);
  }

  private static String end(Map<String, Double> last) {
    return of(last, "closed") == 0
        ? ""
        : format(
            "\n"
                + "At the end, all clients closed: %.2f MiB of heap, %,.0f objects, %.0f threads,"
                + " %.0f open files; %,.0f keys at the server, %,.0f of them without a time to"
                + " live.\n",
            of(last, "heap_bytes"),
            of(last, "objects"),
            of(last, "threads"),
            of(last, "files"),
            of(last, "server_keys"),
            of(last, "server_keys_that_stay"));
  }

  private static String format(String format, Object... args) {
    return String.format(Locale.ROOT, format, args);
  }
}
