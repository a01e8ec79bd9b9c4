package io.lockkeeper.lab.scene;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.oversell.EmbeddedStore;
import io.lockkeeper.lab.oversell.shop.StoreKind;
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

  private static final Map<StoreKind, EmbeddedStore> EMBEDDED =
      Map.of(
          StoreKind.REDIS, EmbeddedStore.REDIS,
          StoreKind.ZOOKEEPER, EmbeddedStore.ZOOKEEPER,
          StoreKind.ETCD, EmbeddedStore.ETCD,
          StoreKind.SQL, EmbeddedStore.MARIADB);

  private final Map<StoreKind, String> urls = new EnumMap<>(StoreKind.class);
  private final Deque<AutoCloseable> servers = new ArrayDeque<>();
  private final Consumer<String> say;

  /**
   * Creates it.
   *
   * @param given the URLs of stores that are there
   */
  Stores(Map<StoreKind, String> given, Consumer<String> say) {
    this.urls.putAll(given);
    this.say = say;
  }

  /** Shows scenes one after the other. */
  static List<SceneResult> show(
      Stores stores, List<Scene> scenes, LoadPlan plan, SceneListener listener)
      throws InterruptedException {
    List<SceneResult> results = new ArrayList<>();
    Map<StoreKind, String> urls = stores.start(scenes, listener);
    try (Stage stage = new Stage(urls, plan.seed(), listener::said)) {
      for (Scene scene : scenes) {
        String unfit = scene.unfitFor(urls.getOrDefault(StoreKind.SQL, ""));
        if (!unfit.isEmpty()) {
          listener.skipped(scene, unfit);
          continue;
        }
        listener.began(scene);
        HalfResult broken = stage.half(scene, true);
        listener.happened(scene, broken);
        HalfResult cure = stage.half(scene, false);
        listener.happened(scene, cure);
        LoadResult load = load(stage, scene, scene.strategy(), plan, listener);
        LoadResult without =
            scene.fault().isOfCaches()
                ? load(stage, scene, scene.broken(), plan, listener)
                : LoadResult.none();
        SceneResult result = new SceneResult(scene, plan, load, without, broken, cure);
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

  /** Starts what these scenes need and is not there, and returns the URLs of all. */
  private Map<StoreKind, String> start(List<Scene> scenes, SceneListener listener) {
    Set<StoreKind> needed = EnumSet.noneOf(StoreKind.class);
    scenes.forEach(scene -> needed.addAll(scene.stores()));
    for (StoreKind kind : needed) {
      if (!urls.containsKey(kind)) {
        EmbeddedStore store = EMBEDDED.getOrDefault(kind, EmbeddedStore.REDIS);
        listener.said("starting " + store.title());
        urls.put(kind, start(store));
      }
    }
    return new EnumMap<>(urls);
  }

  private String start(EmbeddedStore store) {
    try {
      EmbeddedStore.Running running = store.start();
      servers.push(running.server());
      return running.url();
    } catch (ServerStartException e) {
      throw new CannotRunException(
          "cannot start " + store.title() + " (" + e.getMessage() + "); " + store.remedy(), e);
    }
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
