package io.lockkeeper.lab.scene;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.servers.ServerStartException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The stores of the scenes: those that are there, and those that are started for them. */
final class Stores implements AutoCloseable {

  private static final int LIGHTER = 5;

  private final Map<Place, String> urls = new EnumMap<>(Place.class);
  private final Deque<AutoCloseable> servers = new ArrayDeque<>();
  private final Consumer<String> say;

  /**
   * Creates it.
   *
   * @param given the URLs of stores that are there
   */
  Stores(Map<Place, String> given, Consumer<String> say) {
    this.urls.putAll(given);
    this.say = say;
  }

  /** Shows scenes one after the other. */
  static List<SceneResult> show(
      Stores stores, List<Scene> scenes, LoadPlan plan, SceneListener listener)
      throws InterruptedException {
    List<SceneResult> results = new ArrayList<>();
    Map<Place, String> missing = stores.start(scenes, listener);
    Map<Place, String> urls = new EnumMap<>(Place.class);
    urls.putAll(stores.urls);
    try (Stage stage = new Stage(urls, plan.seed(), listener::said)) {
      for (Scene scene : scenes) {
        String unfit =
            missing.getOrDefault(scene.lock(), scene.unfitFor(urls.getOrDefault(Place.SQL, "")));
        if (!unfit.isEmpty()) {
          listener.skipped(scene, unfit);
          continue;
        }
        listener.began(scene);
        HalfResult broken = stage.half(scene, true);
        listener.happened(scene, broken);
        HalfResult cure = stage.half(scene, false);
        listener.happened(scene, cure);
        LoadPlan part = scene.load() == Scene.Load.LIGHT ? plan.part(LIGHTER) : plan;
        LoadResult load = load(stage, scene, scene.strategy(), part, listener);
        LoadResult without =
            scene.mishap().isOfCaches()
                ? load(stage, scene, scene.broken(), part, listener)
                : LoadResult.none();
        SceneResult result = new SceneResult(scene, part, load, without, broken, cure);
        listener.ended(result);
        results.add(result);
      }
    }
    return results;
  }

  private static LoadResult load(
      Stage stage, Scene scene, String strategy, LoadPlan plan, SceneListener listener)
      throws InterruptedException {
    return plan.orders() == 0
        ? LoadResult.none()
        : stage.load(scene, strategy, plan, progress -> listener.progressed(scene, progress));
  }

  /**
   * Starts what these scenes need and is not there.
   *
   * @return why some are missing, the scenes of which are to be left out
   * @throws CannotRunException if without one of them there is nothing to show
   */
  private Map<Place, String> start(List<Scene> scenes, SceneListener listener) {
    Set<Place> needed = EnumSet.noneOf(Place.class);
    scenes.forEach(scene -> needed.addAll(scene.places()));
    Map<Place, String> missing = new EnumMap<>(Place.class);
    for (Place place : needed) {
      if (!urls.containsKey(place)) {
        listener.said("starting " + place.title());
        try {
          Place.Running running = place.start();
          servers.push(running.server());
          urls.put(place, running.url());
        } catch (ServerStartException e) {
          String why = String.valueOf(e.getMessage());
          missing.put(place, why);
          if (!place.isExtra() || scenes.stream().allMatch(it -> missing.containsKey(it.lock()))) {
            throw new CannotRunException(why, e);
          }
        }
      }
    }
    return missing;
  }

  @Override
  public void close() {
    while (!servers.isEmpty()) {
      try {
        servers.pop().close();
      } catch (Exception e) {
        say.accept("a server does not end: " + e.getMessage());
      }
    }
  }
}
