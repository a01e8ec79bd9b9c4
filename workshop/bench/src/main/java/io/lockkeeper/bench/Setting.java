package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.lab.report.Machine;
import java.time.Duration;
import java.util.SortedMap;

/**
 * Where and how a run was made.
 *
 * @param command the command line
 * @param machine processor, cores, memory, system
 * @param jdk of coordinator and workers
 * @param site the kind of server
 * @param server its version and settings
 * @param versions of the libraries
 * @param jvmOptions of the workers
 * @param loadBefore the machine's load average before the run, or -1
 * @param secondsPerTurn the length of one turn's window
 * @param rounds how many turns each contender had in each contest
 * @param secondsOfWarmUp the length of the turn before the first that counts
 * @param delayMillis how much later every byte arrives in the contests over a slow network
 * @param durationSeconds of the whole run
 */
record Setting(
    String command,
    String machine,
    String jdk,
    Site site,
    String server,
    SortedMap<String, String> versions,
    String jvmOptions,
    double loadBefore,
    double secondsPerTurn,
    int rounds,
    double secondsOfWarmUp,
    double delayMillis,
    long durationSeconds) {

  /** Of the workers. */
  static final String JVM_OPTIONS = "-Xms512m -Xmx1g";

  private static final double MILLIS_PER_SECOND = 1e3;

  /** Returns the setting of a run that ends now. */
  static Setting of(
      String command, Site site, String server, Plan plan, double loadBefore, Progress progress) {
    Machine machine = Machine.here(Bench.class);
    return new Setting(
        command,
        machine.inALine(),
        Machine.jdk(),
        site,
        server,
        machine.versions(),
        JVM_OPTIONS,
        loadBefore,
        seconds(plan.turn()),
        plan.rounds(),
        seconds(plan.warmUp()),
        Coordinator.DELAY.toMillis(),
        progress.elapsedSeconds());
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / MILLIS_PER_SECOND;
  }
}
