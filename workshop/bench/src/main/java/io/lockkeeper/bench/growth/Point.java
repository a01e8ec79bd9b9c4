package io.lockkeeper.bench.growth;

import java.util.Comparator;
import java.util.List;

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
    double bytes) {

  /** Returns this without what the server does anyway. */
  Point without(Point idle) {
    double least = Math.max(0, leastServerMicros - idle.serverMicros);
    double most = Math.max(0, mostServerMicros - idle.serverMicros);
    double micros = Math.max(0, serverMicros - idle.serverMicros);
    return new Point(size, perSecond, micros, least, most, p50Micros, p99Micros, bytes);
  }

  /** Returns this with the memory that one more of what grows takes. */
  Point withBytes(double found) {
    return new Point(
        size,
        perSecond,
        serverMicros,
        leastServerMicros,
        mostServerMicros,
        p50Micros,
        p99Micros,
        found);
  }

  /** Returns the one of several rounds with the median time of the server, and their spread. */
  static Point median(List<Point> rounds) {
    List<Point> sorted =
        rounds.stream().sorted(Comparator.comparingDouble(Point::serverMicros)).toList();
    Point middle = sorted.get(sorted.size() / 2);
    return new Point(
        middle.size,
        middle.perSecond,
        middle.serverMicros,
        sorted.get(0).serverMicros,
        sorted.get(sorted.size() - 1).serverMicros,
        middle.p50Micros,
        middle.p99Micros,
        middle.bytes);
  }
}
