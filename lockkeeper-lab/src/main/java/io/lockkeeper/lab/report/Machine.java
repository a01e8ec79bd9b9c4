package io.lockkeeper.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the numbers depend on: this machine, its Java, and the libraries' versions. */
public final class Machine {

  private static final double BYTES_PER_GIB = 1L << 30;

  private Machine() {}

  /** Describes the machine in a line. */
  public static String describe() {
    return String.format(
        Locale.ROOT,
        "%d x %s, %.0f GiB, %s %s (%s)",
        Runtime.getRuntime().availableProcessors(),
        processor(),
        memoryBytes() / BYTES_PER_GIB,
        System.getProperty("os.name"),
        System.getProperty("os.version"),
        System.getProperty("os.arch"));
  }

  /** Describes this JVM. */
  public static String jdk() {
    return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
  }

  /** Returns the load average of the last minute. */
  public static double loadAverage() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static String processor() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown processor");
    } catch (IOException | UncheckedIOException notLinux) {
      return "unknown processor";
    }
  }

  private static double memoryBytes() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return system instanceof com.sun.management.OperatingSystemMXBean known
        ? known.getTotalMemorySize()
        : Double.NaN;
  }

  /** Returns what the build has written into the file of versions beside a class, by name. */
  public static SortedMap<String, String> versions(Class<?> near) {
    Properties properties = new Properties();
    try (InputStream in = near.getResourceAsStream("versions.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    SortedMap<String, String> versions = new TreeMap<>();
    properties.forEach((name, version) -> versions.put((String) name, (String) version));
    return versions;
  }
}
