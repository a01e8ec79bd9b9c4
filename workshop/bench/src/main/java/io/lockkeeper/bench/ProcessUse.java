package io.lockkeeper.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the threads of some processes, and of their children, have used up to a moment, as Linux
 * counts it for each thread: to the nanosecond, where the sum for a process comes in steps of 10
 * ms. What a thread used that has ended meanwhile is missing, and so is the thread that reads,
 * because reading takes time. On other systems nothing is known.
 */
final class ProcessUse {

  private static final double STILL_LESS = 0.99;
  private static final String SWITCHES = "voluntary_ctxt_switches:";

  private final Map<String, Long> cpuNanos = new TreeMap<>();
  private final Map<String, Long> switches = new TreeMap<>();

  private ProcessUse() {}

  /**
   * What was used between two moments; not a number where that is unknown.
   *
   * @param cpuNanos processor time
   * @param switches how often a thread gave its processor away because it had nothing to do
   */
  record Spent(double cpuNanos, double switches) {}

  static ProcessUse here() {
    return of(List.of(ProcessHandle.current().pid()));
  }

  /** Reads it for the processes of these numbers. */
  static ProcessUse of(List<Long> pids) {
    ProcessUse use = new ProcessUse();
    pids.stream()
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .forEach(process -> use.add(Path.of("/proc", String.valueOf(process.pid()), "task")));
    use.leaveOutReader();
    return use;
  }

  /**
   * Waits for the end of a window and returns the processor time in it, in nanoseconds; the moments
   * are of {@link System#nanoTime()}.
   */
  static double within(List<Long> pids, long startNanos, long endNanos) {
    Sleep.until(startNanos);
    ProcessUse before = of(pids);
    Sleep.until(endNanos);
    return of(pids).since(before).cpuNanos();
  }

  private void add(Path folder) {
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(folder)) {
      for (Path task : tasks) {
        addTask(task);
      }
    } catch (IOException e) {
      // the process has ended, or this is not Linux
    }
  }

  private void addTask(Path task) {
    try {
      String id = task.getFileName().toString();
      String times = Files.readString(task.resolve("schedstat"));
      cpuNanos.put(id, Long.parseLong(times.substring(0, times.indexOf(' '))));
      Files.readString(task.resolve("status"))
          .lines()
          .filter(line -> line.startsWith(SWITCHES))
          .map(line -> line.substring(SWITCHES.length()).strip())
          .forEach(count -> switches.put(id, Long.parseLong(count)));
    } catch (IOException e) {
      // the thread has ended
    }
  }

  private void leaveOutReader() {
    try {
      String id = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
      cpuNanos.remove(id);
      switches.remove(id);
    } catch (IOException e) {
      // this is not Linux
    }
  }

  /** Returns what has been used since an earlier moment. */
  Spent since(ProcessUse earlier) {
    return new Spent(growth(earlier.cpuNanos, cpuNanos), growth(earlier.switches, switches));
  }

  /** Returns the sum of what has grown; what was not there before began with nothing. */
  static <K> double growth(Map<K, Long> before, Map<K, Long> after) {
    return after.isEmpty()
        ? Double.NaN
        : after.entrySet().stream()
            .mapToLong(it -> it.getValue() - before.getOrDefault(it.getKey(), 0L))
            .sum();
  }

  /** Returns what is in use of this process's heap, after it has been cleaned up. */
  @SuppressWarnings("SystemGc") // nothing else makes the number mean something
  static double heapBytes() {
    double used = Double.MAX_VALUE;
    double before;
    do {
      before = used;
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      used = Math.min(before, runtime.totalMemory() - (double) runtime.freeMemory());
    } while (used < STILL_LESS * before);
    return used;
  }
}
