package io.lockkeeper.lab.scene;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.Table;
import io.lockkeeper.lab.oversell.EmbeddedStore;
import io.lockkeeper.lab.oversell.shop.StoreKind;
import io.lockkeeper.lab.report.Html;
import io.lockkeeper.servers.ServerStartException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Shows scenes one after the other, with all that they need around them, and reports. */
public final class SceneShow {

  private static final Map<StoreKind, EmbeddedStore> EMBEDDED =
      Map.of(
          StoreKind.REDIS, EmbeddedStore.REDIS,
          StoreKind.ZOOKEEPER, EmbeddedStore.ZOOKEEPER,
          StoreKind.ETCD, EmbeddedStore.ETCD,
          StoreKind.SQL, EmbeddedStore.MARIADB);

  private final SceneOptions options;
  private final PrintWriter out;
  private final PrintWriter err;
  private final Deque<AutoCloseable> servers = new ArrayDeque<>();

  /** Creates it. */
  public SceneShow(SceneOptions options, PrintWriter out, PrintWriter err) {
    this.options = options;
    this.out = out;
    this.err = err;
  }

  /** Does what the options ask for, and returns the exit status. */
  public int run() throws InterruptedException {
    if (options.list) {
      Table table = new Table("scene", "shows");
      Scenes.list().forEach(scene -> table.row(scene.name(), scene.about()));
      table.lines().forEach(out::println);
    }
    write(options.jmx, () -> jmx(options.plan()));
    if (options.scenes().isEmpty()) {
      return ExitStatus.OK;
    }
    SceneReport report = new SceneReport(results(), options.plan());
    report.text().forEach(out::println);
    out.flush();
    write(options.json, report::json);
    write(options.markdown, report::markdown);
    write(options.report, report::html);
    return report.isAsExpected() ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private List<SceneResult> results() throws InterruptedException {
    List<SceneResult> results = new ArrayList<>();
    try {
      Map<StoreKind, String> urls = startStores();
      try (Stage stage = new Stage(urls, options.plan().seed())) {
        for (Scene scene : options.scenes()) {
          results.add(show(stage, scene));
        }
      }
    } finally {
      closeServers();
    }
    return results;
  }

  private Map<StoreKind, String> startStores() {
    Map<StoreKind, String> urls = options.stores();
    Set<StoreKind> needed = EnumSet.noneOf(StoreKind.class);
    options.scenes().forEach(scene -> needed.addAll(scene.stores()));
    for (StoreKind kind : needed) {
      if (!urls.containsKey(kind)) {
        urls.put(kind, start(EMBEDDED.getOrDefault(kind, EmbeddedStore.REDIS)));
      }
    }
    return urls;
  }

  private String start(EmbeddedStore store) {
    say("starting " + store.title());
    try {
      EmbeddedStore.Running running = store.start();
      servers.push(running.server());
      return running.url();
    } catch (ServerStartException e) {
      throw new CannotRunException(
          "cannot start " + store.title() + " (" + e.getMessage() + "); " + store.remedy(), e);
    }
  }

  private SceneResult show(Stage stage, Scene scene) throws InterruptedException {
    say(scene.name() + ": " + scene.about());
    HalfResult broken = stage.half(scene, true);
    say("  " + scene.fault().summary() + ": " + broken.verdict());
    HalfResult cure = stage.half(scene, false);
    say("  the same with the cure: " + cure.verdict());
    LoadPlan plan = options.plan();
    LoadResult load =
        plan.orders() == 0
            ? LoadResult.none()
            : stage.load(scene, plan, new Progress(plan)::orders);
    return new SceneResult(scene, plan, load, broken, cure);
  }

  /** Says from time to time how far a load is. */
  private final class Progress {

    private static final long QUIET_NANOS = 5_000_000_000L;

    private final LoadPlan plan;
    private long last = System.nanoTime();

    Progress(LoadPlan plan) {
      this.plan = plan;
    }

    void orders(long done) {
      if (System.nanoTime() - last > QUIET_NANOS) {
        last = System.nanoTime();
        say("  " + done + " of " + plan.total() + " orders");
      }
    }
  }

  private static String jmx(LoadPlan plan) {
    return Html.page(
        SceneShow.class,
        "stock.jmx",
        Map.of("users", Integer.toString(plan.users()), "orders", Integer.toString(plan.orders())));
  }

  private void write(@Nullable Path file, Supplier<String> content) {
    if (file == null) {
      return;
    }
    try {
      Files.writeString(file, content.get());
      out.println("written: " + file);
      out.flush();
    } catch (IOException e) {
      throw new CannotRunException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private void say(String line) {
    err.println(line);
    err.flush();
  }

  private void closeServers() {
    while (!servers.isEmpty()) {
      try {
        servers.pop().close();
      } catch (Exception e) {
        say("a server does not end: " + e.getMessage());
      }
    }
  }
}
