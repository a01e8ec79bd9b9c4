package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.scene.HttpLoad.LoadProgress;

/** Hears how a show goes on. */
interface SceneListener {

  /** Something to tell, such as the start of a store. */
  void said(String line);

  /** A scene is left out, for this reason. */
  void skipped(Scene scene, String why);

  void began(Scene scene);

  /** The fault has happened to the broken strategy, or to the cure. */
  void happened(Scene scene, HalfResult half);

  /** A load goes on. Called several times a second. */
  void progressed(Scene scene, LoadProgress progress);

  void ended(SceneResult result);
}
