package io.lockkeeper.lab.load;

import io.lockkeeper.lab.history.ResourceType;
import java.time.Duration;
import java.util.List;

/** Plans of loads for tests. */
public final class LoadPlans {

  private LoadPlans() {}

  /** Returns a plan for one resource of these types, with hardly a pause. */
  public static LoadPlan of(long seed, ResourceType... types) {
    return of(seed, Duration.ofMillis(1), Duration.ofMillis(1), types);
  }

  /** Returns one with the longest hold and the longest pause. */
  public static LoadPlan of(long seed, Duration hold, Duration pause, ResourceType... types) {
    Duration patience = Duration.ofSeconds(30);
    return new LoadPlan(
        List.of(types), 1, 3, patience, hold, Duration.ZERO, 500, pause, 0, 0.25, false, seed);
  }

  /** Returns the same plan with another seed. */
  public static LoadPlan with(long seed, LoadPlan plan) {
    return new LoadPlan(
        plan.types(),
        plan.names(),
        plan.permits(),
        plan.patience(),
        plan.longestHold(),
        plan.rareHold(),
        plan.rarely(),
        plan.longestPause(),
        plan.perSecond(),
        plan.tries(),
        plan.resizes(),
        seed);
  }
}
