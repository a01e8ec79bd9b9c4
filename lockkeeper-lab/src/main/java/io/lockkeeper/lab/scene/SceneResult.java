package io.lockkeeper.lab.scene;

/**
 * What came of a scene.
 *
 * @param load of its strategy
 * @param broken what the fault did to what it breaks
 * @param cure what it did to the cure
 */
record SceneResult(
    Scene scene, LoadPlan plan, LoadResult load, HalfResult broken, HalfResult cure) {

  /** Returns whether both halves did what the scene says. */
  boolean isAsExpected() {
    return broken.isAsExpected() && cure.isAsExpected();
  }

  /** Returns how many pieces the load sold that the stock does not know of. */
  long oversold() {
    return load.done() == 0 ? 0 : load.books().oversold(plan.stock());
  }
}
