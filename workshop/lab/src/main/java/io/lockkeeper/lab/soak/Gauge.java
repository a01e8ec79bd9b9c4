package io.lockkeeper.lab.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import io.lockkeeper.lab.report.Machine;
import io.lockkeeper.servers.RedisServer;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/** Takes samples of this process, the heap after a full collection, and of the server. */
final class Gauge {

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final RedisServer server;
  private final Uses uses;
  private final long startNanos = System.nanoTime();

  Gauge(RedisServer server, Uses uses) {
    this.server = server;
    this.uses = uses;
  }

  /**
   * Takes one: what there is, by the names of the columns of a table.
   *
   * @param closed whether the clients are closed
   */
  Map<String, Double> take(boolean closed) {
    UnixOperatingSystemMXBean system =
        (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    Map<String, Double> sample = new LinkedHashMap<>();
    long objects = objects();
    sample.put("seconds", (System.nanoTime() - startNanos) / NANOS_PER_SECOND);
    sample.put("closed", closed ? 1.0 : 0);
    sample.put("uses", uses.uses.doubleValue());
    sample.put("timeouts", uses.timeouts.doubleValue());
    sample.put("errors", uses.errors.doubleValue());
    sample.put("slowest_ms", uses.slowestNanos.getAndSet(0) / 1e6);
    sample.put(
        "heap_bytes", (double) ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    sample.put("objects", (double) objects);
    sample.put("resident_bytes", (double) residentBytes());
    sample.put("threads", (double) ManagementFactory.getThreadMXBean().getThreadCount());
    sample.put("files", (double) system.getOpenFileDescriptorCount());
    sample.put("cpu_seconds", system.getProcessCpuTime() / NANOS_PER_SECOND);
    sample.put("server_bytes", number("memory", "used_memory"));
    String keys = server.info("keyspace").getOrDefault("db0", "keys=0,expires=0");
    sample.put("server_keys", part(keys, "keys="));
    sample.put("server_keys_that_stay", part(keys, "keys=") - part(keys, "expires="));
    sample.put("server_clients", number("clients", "connected_clients"));
    sample.put("server_channels", number("stats", "pubsub_channels"));
    sample.put(
        "server_cpu_seconds", number("cpu", "used_cpu_user") + number("cpu", "used_cpu_sys"));
    return sample;
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
    return Machine.fromFile("/proc/self/status", "VmRSS").map(Machine::kibibytes).orElse(0L);
  }

  /** Returns a number of a list such as {@code keys=3,expires=1}. */
  private static double part(String list, String name) {
    return Stream.of(list.split(",", -1))
        .filter(part -> part.startsWith(name))
        .mapToDouble(part -> Double.parseDouble(part.substring(name.length())))
        .sum();
  }

  private double number(String section, String field) {
    return Double.parseDouble(server.info(section).getOrDefault(field, "0"));
  }
}
