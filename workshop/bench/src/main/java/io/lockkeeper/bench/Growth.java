package io.lockkeeper.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** All that is known of growth: the last series of each thing that grows. */
record Growth(List<Series> series) {

  /** Returns where the results are in the folder of the page. */
  static Path file(Path folder) {
    return folder.resolve("scale").resolve("results.json");
  }

  /** Reads what earlier runs have left in the folder of the page; empty if there is none. */
  static Growth read(Path folder) throws IOException {
    Path file = file(folder);
    return Files.exists(file)
        ? Results.JSON.readValue(file.toFile(), Growth.class)
        : new Growth(List.of());
  }

  void write(Path folder) throws IOException {
    Files.createDirectories(folder.resolve("scale"));
    Results.JSON.writeValue(file(folder).toFile(), this);
  }

  /** Returns this with a series in the place of an earlier one. */
  Growth with(Series newer) {
    return new Growth(
        Stream.concat(
                series.stream().filter(earlier -> earlier.what() != newer.what()), Stream.of(newer))
            .sorted((one, other) -> one.what().compareTo(other.what()))
            .toList());
  }

  /**
   * What one run has found of one thing that grows.
   *
   * @param what what grows
   * @param command the command line
   * @param machine processor, cores, memory, system
   * @param jdk of the clients
   * @param server its version and settings
   * @param loadBefore the machine's load average before, or -1
   * @param points the sizes, from the smallest
   */
  record Series(
      Growing what,
      String command,
      String machine,
      String jdk,
      String server,
      double loadBefore,
      List<Point> points) {}

  /**
   * What one size costs.
   *
   * @param size how many there are of what grows
   * @param perSecond how many operations were done in a second
   * @param serverMicros the server's processor time for one operation, in microseconds
   * @param leastServerMicros the same in the round where it was least
   * @param mostServerMicros the same in the round where it was most
   * @param p50Micros the median time of an operation, in microseconds; NaN if it was not measured
   * @param p99Micros the same of all but one in a hundred
   * @param bytes the memory that one more of what grows takes; NaN if it was not measured
   */
  record Point(
      long size,
      double perSecond,
      double serverMicros,
      double leastServerMicros,
      double mostServerMicros,
      double p50Micros,
      double p99Micros,
      double bytes) {}
}
