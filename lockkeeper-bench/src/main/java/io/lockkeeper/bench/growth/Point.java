package io.lockkeeper.bench.growth;

import java.util.Comparator;
import java.util.List;

/**
 * What one size costs.
 *
 * @param size how many there are of what grows
 * @param perSecond how many operations were done in a second
 * @param serverMicros the server's processor time for one operation, in microseconds
 * @param commands how many commands the server carried out for one, those inside scripts included
 * @param p50Micros the median time of an operation, in microseconds; NaN if it was not measured
 * @param p99Micros the same of all but one in a hundred
 * @param bytes the memory that one more of what grows takes; NaN if it was not measured
 */
record Point(
    long size,
    double perSecond,
    double serverMicros,
    double commands,
    double p50Micros,
    double p99Micros,
    double bytes) {

  /** Returns this without what the server does anyway. */
  Point without(Point idle) {
    return new Point(
        size,
        perSecond,
        Math.max(0, serverMicros - idle.serverMicros),
        Math.max(0, commands - idle.commands),
        p50Micros,
        p99Micros,
        bytes);
  }

  /** Returns the one of several of a size with the median time of the server. */
  static Point median(List<Point> points) {
    return points.stream()
        .sorted(Comparator.comparingDouble(Point::serverMicros))
        .toList()
        .get(points.size() / 2);
  }
}
