package io.lockkeeper.lab.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import io.lockkeeper.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/** Takes samples of this process and of the server. */
final class Gauge {

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final int BYTES_PER_KIB = 1024;

  private final RedisServer server;
  private final Counts counts;
  private final long startNanos = System.nanoTime();

  Gauge(RedisServer server, Counts counts) {
    this.server = server;
    this.counts = counts;
  }

  Sample take(boolean closed) {
    long objects = objects();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    Map<String, String> memory = server.info("memory");
    Map<String, String> clients = server.info("clients");
    Map<String, String> stats = server.info("stats");
    Map<String, String> cpu = server.info("cpu");
    long[] keys = keys();
    UnixOperatingSystemMXBean system =
        (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new Sample(
        (System.nanoTime() - startNanos) / (double) TimeUnit.SECONDS.toNanos(1),
        closed,
        counts.uses(),
        counts.timeouts(),
        counts.errors(),
        counts.takeSlowestMillis(),
        heap,
        objects,
        residentBytes(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        system.getOpenFileDescriptorCount(),
        sockets(),
        system.getProcessCpuTime() / (double) TimeUnit.SECONDS.toNanos(1),
        number(memory, "used_memory"),
        keys[0],
        keys[0] - keys[1],
        number(clients, "connected_clients"),
        number(stats, "pubsub_channels"),
        seconds(cpu, "used_cpu_user") + seconds(cpu, "used_cpu_sys"));
  }

  /**
   * Collects the garbage, twice, for what a first collection only makes ready for the next, and
   * counts the instances of Lockkeeper's classes that are left.
   */
  private static long objects() {
    System.gc();
    try {
      String histogram =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "gcClassHistogram",
                      new Object[] {new String[0]},
                      new String[] {String[].class.getName()});
      return Objects.requireNonNull(histogram)
          .lines()
          .map(line -> line.strip().split("\\s+", -1))
          .filter(row -> row.length > 3 && row[3].startsWith("io.lockkeeper."))
          .mapToLong(row -> Long.parseLong(row[1]))
          .sum();
    } catch (JMException e) {
      throw new IllegalStateException("this JVM does not count its objects", e);
    }
  }

  private static long residentBytes() {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .findFirst()
              .orElse(0)
          * BYTES_PER_KIB;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int sockets() {
    try (Stream<Path> files = Files.list(DESCRIPTORS)) {
      return (int) files.filter(Gauge::isSocket).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSocket(Path file) {
    try {
      return Files.readSymbolicLink(file).toString().startsWith("socket:");
    } catch (IOException goneMeanwhile) {
      return false;
    }
  }

  /** Returns how many keys there are, and how many of them have a time to live. */
  private long[] keys() {
    long[] found = {0, 0};
    String line = server.info("keyspace").getOrDefault("db0", "keys=0,expires=0");
    for (String part : line.split(",", -1)) {
      if (part.startsWith("keys=")) {
        found[0] = Long.parseLong(part.substring("keys=".length()));
      } else if (part.startsWith("expires=")) {
        found[1] = Long.parseLong(part.substring("expires=".length()));
      }
    }
    return found;
  }

  private static long number(Map<String, String> section, String field) {
    return Long.parseLong(section.getOrDefault(field, "0"));
  }

  private static double seconds(Map<String, String> section, String field) {
    return Double.parseDouble(section.getOrDefault(field, "0"));
  }
}
