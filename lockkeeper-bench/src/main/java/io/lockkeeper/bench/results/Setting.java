package io.lockkeeper.bench.results;

import io.lockkeeper.bench.locks.Site;
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
 * @param durationSeconds of the whole run
 */
public record Setting(
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
    long durationSeconds) {

  private static final int FEW_ROUNDS = 3;
  private static final double SHORT_TURN_SECONDS = 2;

  /** Returns whether its turns were too few or too short for figures that are worth quoting. */
  public boolean wasTooShort() {
    return rounds < FEW_ROUNDS || secondsPerTurn < SHORT_TURN_SECONDS;
  }
}
