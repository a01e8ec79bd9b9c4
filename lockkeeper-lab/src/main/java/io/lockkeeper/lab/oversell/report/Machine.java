package io.lockkeeper.lab.oversell.report;

import io.lettuce.core.LettuceVersion;
import io.lockkeeper.cli.console.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a contest ran on.
 *
 * @param processor its model, or its architecture where the model cannot be had
 * @param cores how many of them this JVM sees
 * @param memoryBytes main memory, or 0 where unknown
 * @param system the operating system
 * @param versions of what took part, by name
 */
public record Machine(
    String processor, int cores, long memoryBytes, String system, Map<String, String> versions) {

  /** Returns this machine. */
  public static Machine here() {
    TreeMap<String, String> versions = new TreeMap<>();
    versions.put("lockkeeper", Version.current());
    versions.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    versions.put("lettuce", LettuceVersion.getVersion());
    return new Machine(
        fromFile("/proc/cpuinfo", "model name").orElse(System.getProperty("os.arch")),
        Runtime.getRuntime().availableProcessors(),
        fromFile("/proc/meminfo", "MemTotal").map(Machine::kibibytes).orElse(0L),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        versions);
  }

  private static Optional<String> fromFile(String file, String field) {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(field) && line.indexOf(':') > 0)
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip());
    } catch (IOException e) {
      return Optional.empty(); // another operating system
    }
  }

  private static long kibibytes(String text) {
    return Long.parseLong(text.replaceAll("\\D", "")) * 1024;
  }

  /** Returns it in a line. */
  String inALine() {
    return String.format(
        Numbers.LOCALE,
        "%s, %d cores, %.0f GiB, %s",
        processor,
        cores,
        memoryBytes / (double) (1L << 30),
        system);
  }
}
