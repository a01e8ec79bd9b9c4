package io.lockkeeper.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What figures depend on: a machine, its Java, and the versions of what took part.
 *
 * @param processor its model, or its architecture where the model cannot be had
 * @param cores how many of them this JVM sees
 * @param memoryBytes main memory, or 0 where unknown
 * @param system the operating system
 * @param versions of what took part, by name
 */
public record Machine(
    String processor,
    int cores,
    long memoryBytes,
    String system,
    SortedMap<String, String> versions) {

  /** Returns this machine, with the versions that the build has written down beside a class. */
  public static Machine here(Class<?> near) {
    Properties written = new Properties();
    try (InputStream in = near.getResourceAsStream("versions.properties")) {
      written.load(Objects.requireNonNull(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    SortedMap<String, String> versions = new TreeMap<>();
    written.stringPropertyNames().forEach(it -> versions.put(it, written.getProperty(it)));
    return new Machine(
        fromFile("/proc/cpuinfo", "model name").orElse(System.getProperty("os.arch")),
        Runtime.getRuntime().availableProcessors(),
        fromFile("/proc/meminfo", "MemTotal").map(Machine::kibibytes).orElse(0L),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        versions);
  }

  /** Returns this machine, with the versions that every experiment has. */
  public static Machine here() {
    return here(Machine.class);
  }

  public static String jdk() {
    return System.getProperty("java.vm.name") + " " + Runtime.version();
  }

  public static double loadAverage() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  /** Returns the first value of a field in a file of the operating system, if that has it. */
  public static Optional<String> fromFile(String file, String field) {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(field) && line.indexOf(':') > 0)
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip());
    } catch (IOException e) {
      return Optional.empty(); // another operating system
    }
  }

  /** Returns a number of kibibytes in bytes. */
  public static long kibibytes(String text) {
    return Long.parseLong(text.replaceAll("\\D", "")) * 1024;
  }

  public String inALine() {
    return String.format(
        Locale.ROOT,
        "%d x %s, %.0f GiB, %s",
        cores,
        processor,
        memoryBytes / (double) (1L << 30),
        system);
  }
}
