package io.lockkeeper.lab.scene;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.Table;
import io.lockkeeper.lab.process.Folders;
import io.lockkeeper.lab.scene.HttpLoad.LoadProgress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Shows scenes one after the other, with all that they need around them, and reports. */
public final class SceneShow {

  private final SceneOptions options;
  private final PrintWriter out;
  private final PrintWriter err;
  private final List<String> skipped = new ArrayList<>();

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
    if (options.page) {
      return page();
    }
    if (options.scenes().isEmpty()) {
      return ExitStatus.OK;
    }
    SceneReport report = new SceneReport(results(), options.plan(), skipped);
    report.text().forEach(out::println);
    out.flush();
    write(options.json, report::json);
    write(options.report, report::html);
    return report.isAsExpected() ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private int page() throws InterruptedException {
    try (Stores stores = new Stores(options.stores(), this::say);
        ScenePage page = ScenePage.open(stores, options.plan())) {
      out.println("The laboratory is at " + page.url());
      out.println("Anyone with that address can run scenes; Ctrl-C ends it.");
      out.flush();
      new CountDownLatch(1).await();
      return ExitStatus.OK;
    }
  }

  private List<SceneResult> results() throws InterruptedException {
    try (Stores stores = new Stores(options.stores(), this::say)) {
      return Stores.show(stores, options.scenes(), options.plan(), new Progress());
    }
  }

  /** Says what happens, and from time to time how far a load is. */
  private final class Progress implements SceneListener {

    private static final long QUIET_NANOS = 5_000_000_000L;

    private long last = System.nanoTime();

    @Override
    public void said(String line) {
      say(line);
    }

    @Override
    public void skipped(Scene scene, String why) {
      skipped.add(scene.name() + " is left out: " + why);
      say(skipped.get(skipped.size() - 1));
    }

    @Override
    public void began(Scene scene) {
      say(scene.name() + ": " + scene.about());
    }

    @Override
    public void happened(Scene scene, HalfResult half) {
      String what = half.expectedToBreak() ? scene.mishap().summary() : "the same with the cure";
      say("  " + what + ": " + half.verdict());
    }

    @Override
    public void progressed(Scene scene, LoadProgress progress) {
      if (System.nanoTime() - last > QUIET_NANOS) {
        last = System.nanoTime();
        say("  " + progress.done() + " of " + progress.plan().total() + " orders");
      }
    }

    @Override
    public void ended(SceneResult result) {}
  }

  private void write(@Nullable Path file, Supplier<String> content) {
    if (file != null) {
      Folders.write(file, content.get());
      out.println("written: " + file);
      out.flush();
    }
  }

  private void say(String line) {
    err.println(line);
    err.flush();
  }
}
