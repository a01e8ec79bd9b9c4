package io.lockkeeper.lab.oversell;

import java.nio.file.Path;
import java.util.List;

/** How to start another JVM with this one's Java and class path. */
final class WorkerCommandLine {

  private static final String MAIN = "io.lockkeeper.lab.Main";

  private WorkerCommandLine() {}

  static List<String> get() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        System.getProperty("java.class.path"),
        MAIN,
        OversellWorkerCommand.NAME);
  }
}
