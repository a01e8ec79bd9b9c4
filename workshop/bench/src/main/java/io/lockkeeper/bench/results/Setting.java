package io.lockkeeper.bench.results;

import com.fasterxml.jackson.annotation.JsonProperty;
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
 * @param secondsOfWarmUp the length of the turn before the first that counts
 * @param delayMillis how much later every byte arrives in the contests over a slow network
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
    double secondsOfWarmUp,
    double delayMillis,
    long durationSeconds) {

  /** The note on a run that was too short. */
  public static final String TOO_SHORT =
      "Too short: figures worth quoting need at least 5 turns of 3 s, after a warm-up of 5 s.";

  private static final int ENOUGH_ROUNDS = 5;
  private static final double ENOUGH_SECONDS = 3;
  private static final double ENOUGH_SECONDS_OF_WARM_UP = 5;

  /** Returns whether its turns were too few or too short for figures that are worth quoting. */
  @JsonProperty(value = "tooShort", access = JsonProperty.Access.READ_ONLY)
  public boolean wasTooShort() {
    return isTooShort(rounds, secondsPerTurn, secondsOfWarmUp);
  }

  /** Returns whether such a run is too short for figures that are worth quoting. */
  public static boolean isTooShort(int rounds, double secondsPerTurn, double secondsOfWarmUp) {
    return rounds < ENOUGH_ROUNDS
        || secondsPerTurn < ENOUGH_SECONDS
        || secondsOfWarmUp < ENOUGH_SECONDS_OF_WARM_UP;
  }
}
