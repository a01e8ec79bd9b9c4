package io.lockkeeper.lab.scene;

import java.util.List;

/**
 * What came of a scene.
 *
 * @param load of its strategy
 * @param without the load of the broken strategy, where both are compared
 * @param broken what the fault did to what it breaks
 * @param cure what it did to the cure
 */
record SceneResult(
    Scene scene,
    LoadPlan plan,
    LoadResult load,
    LoadResult without,
    HalfResult broken,
    HalfResult cure) {

  /** Returns whether both halves, and the load if it is judged, did what the scene says. */
  boolean isAsExpected() {
    return broken.isAsExpected() && cure.isAsExpected() && loadFaults().isEmpty();
  }

  /** Returns whether there was a load that must be right to the piece. */
  boolean isLoadJudged() {
    return scene.load() == Scene.Load.EXACT && load.hasRun();
  }

  /** Returns what is wrong with a load that must be right to the piece, or nothing. */
  List<String> loadFaults() {
    return isLoadJudged() ? load.faults(plan) : List.of();
  }

  /** Returns how many pieces the load sold that the stock does not know of. */
  long oversold() {
    return load.hasRun() ? load.books().oversold(plan.stock()) : 0;
  }
}
