package io.lockkeeper.bench.growth;

import java.util.List;

/**
 * What one run has found of one thing that grows.
 *
 * @param what what grows
 * @param command the command line
 * @param machine processor, cores, memory, system
 * @param jdk of the clients
 * @param server its version and settings
 * @param loadBefore the machine's load average before, or -1
 * @param seconds how long what can be repeated was repeated in each round
 * @param tookSeconds how long all of it took
 * @param points the sizes, from the smallest
 */
record Series(
    Growing what,
    String command,
    String machine,
    String jdk,
    String server,
    double loadBefore,
    int seconds,
    long tookSeconds,
    List<Point> points) {

  Series {
    points = List.copyOf(points);
  }

  Point last() {
    return points.get(points.size() - 1);
  }
}
