package io.lockkeeper.bench.results;

import java.util.List;
import java.util.Optional;

/**
 * All that one run of services has found.
 *
 * @param processes how many processes the clients were in
 * @param seed of pauses and names
 */
public record ServicesResults(
    Setting setting, int processes, long seed, List<ServiceResult> rows, List<IdleResult> idle) {

  /** The note on a run that was too short. */
  public static final String TOO_SHORT =
      "Too short: figures of services worth quoting need at least 5 turns of 10 s, after 15 s of"
          + " loops.";

  private static final int ENOUGH_ROUNDS = 5;
  private static final double ENOUGH_SECONDS = 10;
  private static final double ENOUGH_SECONDS_OF_WARM_UP = 15;

  /** Returns how all did under a load, if that was measured. */
  public Optional<ServiceResult> result(ServiceRow row) {
    return rows.stream().filter(it -> it.row() == row).findFirst();
  }

  /** Returns whether its turns were too few or too short for figures that are worth quoting. */
  public boolean wasTooShort() {
    return isTooShort(setting.rounds(), setting.secondsPerTurn(), setting.secondsOfWarmUp());
  }

  /** Returns whether such a run is too short for figures that are worth quoting. */
  public static boolean isTooShort(int rounds, double secondsPerTurn, double secondsOfWarmUp) {
    return rounds < ENOUGH_ROUNDS
        || secondsPerTurn < ENOUGH_SECONDS
        || secondsOfWarmUp < ENOUGH_SECONDS_OF_WARM_UP;
  }
}
