package io.lockkeeper.lab.scene;

import io.lockkeeper.cli.console.Json;
import io.lockkeeper.cli.console.Table;
import io.lockkeeper.lab.oversell.Points;
import io.lockkeeper.lab.process.Messages;
import io.lockkeeper.lab.report.Machine;
import io.lockkeeper.lab.report.Numbers;
import io.lockkeeper.lab.scene.Marks.Mark;
import io.lockkeeper.lab.scene.app.Turns;
import io.lockkeeper.servers.NginxServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The scenes as a table for a terminal, as Markdown, as JSON, and as a page. */
final class SceneReport {

  private static final String[] HEADINGS = {
    "scene",
    "orders/s",
    "reported",
    "p99 ms",
    "stock left",
    "sold",
    "oversold",
    "loads/s",
    "load",
    "broken",
    "cure"
  };

  private static final List<String> BEGINS = List.of(Points.ENTERED, Points.READ, Points.FIRST);
  private static final List<String> ENDS = List.of(Points.LEAVING, Turns.ENDED);
  private static final String NOT_AS_EXPECTED = " (NOT AS EXPECTED)";

  private final List<SceneResult> results;
  private final LoadPlan plan;
  private final List<String> skipped;

  /**
   * Creates it.
   *
   * @param skipped which scenes were left out, and why
   */
  SceneReport(List<SceneResult> results, LoadPlan plan, List<String> skipped) {
    this.results = List.copyOf(results);
    this.plan = plan;
    this.skipped = List.copyOf(skipped);
  }

  boolean isAsExpected() {
    return results.stream().allMatch(SceneResult::isAsExpected);
  }

  private static String[] cells(SceneResult result) {
    LoadResult load = result.load();
    boolean loaded = load.hasRun();
    return new String[] {
      result.scene().name(),
      loaded ? Numbers.count(load.ordersPerSecond()) : "-",
      result.scene().reported().isEmpty() ? "-" : result.scene().reported(),
      loaded ? Numbers.millis(load.p99Nanos()) : "-",
      loaded ? Numbers.count(load.books().stockLeft()) : "-",
      loaded ? Numbers.count(load.books().sold()) : "-",
      loaded ? Numbers.count(result.oversold()) : "-",
      loadsPerSecond(result),
      loadVerdict(result),
      verdict(result.broken()),
      verdict(result.cure())
    };
  }

  private static String loadsPerSecond(SceneResult result) {
    return result.without().hasRun()
        ? Numbers.count(result.load().enteredPerSecond())
            + ", unguarded "
            + Numbers.count(result.without().enteredPerSecond())
        : "-";
  }

  private static String loadVerdict(SceneResult result) {
    if (!result.isLoadJudged()) {
      return "-";
    }
    List<String> faults = result.loadFaults();
    return faults.isEmpty() ? "exact" : String.join("; ", faults) + NOT_AS_EXPECTED;
  }

  private static String verdict(HalfResult half) {
    return half.verdict() + (half.isAsExpected() ? "" : NOT_AS_EXPECTED);
  }

  /** Returns what is behind the figures. */
  private List<String> facts() {
    List<String> facts = new ArrayList<>(facts(plan));
    facts.addAll(skipped);
    for (SceneResult result : results) {
      if (!result.plan().equals(plan)) {
        facts.add(result.scene().name() + ": a lighter load, " + size(result.plan()));
      }
      result
          .load()
          .refused()
          .forEach((said, count) -> facts.add(result.scene().name() + ": " + count + " x " + said));
    }
    return facts;
  }

  /** Returns what is behind the figures of a load. */
  static List<String> facts(LoadPlan plan) {
    String front = NginxServer.isInstalled() ? " behind nginx" : " in turn";
    return List.of(
        size(plan) + ", over HTTP to two instances" + front + "; all on this machine",
        "reported: figures of others on other machines, good for the order among them alone",
        "machine: " + Machine.here().inALine());
  }

  private static String size(LoadPlan plan) {
    return plan.users() + " users x " + plan.orders() + " orders on a stock of " + plan.stock();
  }

  List<String> text() {
    Table table = new Table(HEADINGS);
    results.forEach(result -> table.row((Object[]) cells(result)));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add(0, "");
    lines.add("");
    lines.addAll(facts());
    lines.add(
        isAsExpected()
            ? "Each fault broke what it should, and no cure; what must be exact was."
            : "FAILED: see NOT AS EXPECTED above.");
    return lines;
  }

  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("users", plan.users());
    all.put("orders", plan.orders());
    all.put("stock", plan.stock());
    all.put("seed", plan.seed());
    all.put("skipped", skipped);
    all.put("scenes", results.stream().map(SceneReport::json).toList());
    return Json.write(all);
  }

  private static Map<String, Object> json(SceneResult result) {
    Map<String, Object> scene = new LinkedHashMap<>();
    LoadResult load = result.load();
    scene.put("name", result.scene().name());
    scene.put("strategy", result.scene().strategy());
    scene.put("reported", result.scene().reported());
    scene.put("ordersDone", load.done());
    scene.put("seconds", load.elapsedNanos() / 1e9);
    scene.put("perSecond", load.hasRun() ? load.ordersPerSecond() : 0);
    scene.put("p50Millis", millis(load, 50));
    scene.put("p90Millis", millis(load, 90));
    scene.put("p99Millis", millis(load, 99));
    scene.put("p999Millis", millis(load, 99.9));
    scene.put("stockLeft", load.books().stockLeft());
    scene.put("sold", load.books().sold());
    scene.put("oversold", result.oversold());
    scene.put("refused", load.refused());
    scene.put("tokenRegressions", load.books().tokenRegressions());
    if (result.without().hasRun()) {
      scene.put("loadsPerSecond", load.enteredPerSecond());
      scene.put("loadsPerSecondUnguarded", result.without().enteredPerSecond());
    }
    scene.put("loadJudged", result.isLoadJudged());
    scene.put("loadFaults", result.loadFaults());
    scene.put("fault", result.scene().mishap().summary());
    scene.put("broken", json(result.broken()));
    scene.put("cure", json(result.cure()));
    return scene;
  }

  private static double millis(LoadResult load, double percentile) {
    return load.times().getValueAtPercentile(percentile) / 1e6;
  }

  private static Map<String, Object> json(HalfResult half) {
    return Map.of(
        "strategy", half.strategy(),
        "oversold", half.oversold(),
        "what", half.what(),
        "asExpected", half.isAsExpected());
  }

  /** Returns the page with what came of the scenes in it; it needs no other file. */
  String html() {
    return page(false, facts());
  }

  static String livePage(LoadPlan plan) {
    return new SceneReport(List.of(), plan, List.of()).page(true, List.of());
  }

  private String page(boolean isLive, List<String> facts) {
    Map<String, Object> data =
        Map.of(
            "live",
            isLive,
            "users",
            plan.users(),
            "orders",
            plan.orders(),
            "scenes",
            Scenes.list().stream()
                .map(
                    it ->
                        Map.of(
                            "name", it.name(),
                            "about", it.about(),
                            "fault", it.mishap().summary()))
                .toList(),
            "headings",
            HEADINGS,
            "facts",
            facts,
            "results",
            results.stream().map(SceneReport::forPage).toList());
    return Scenes.resource("scene-page.html")
        .replace("${data}", Messages.write(data).replace("<", "\\u003c"));
  }

  static Map<String, Object> forPage(SceneResult result) {
    Map<String, Object> data = json(result);
    data.put("cells", cells(result));
    data.put("halves", List.of(lanes(result.broken()), lanes(result.cure())));
    return data;
  }

  /** Returns who was inside when; an order that never ended ends with the last that happened. */
  static Map<String, Object> lanes(HalfResult half) {
    List<Mark> all = half.marks();
    long first = all.stream().mapToLong(Mark::nanos).min().orElse(0);
    long last = all.stream().mapToLong(Mark::nanos).max().orElse(0);
    List<Map<String, Object>> stretches = new ArrayList<>();
    for (String order : all.stream().map(Mark::order).distinct().toList()) {
      find(all, order, BEGINS)
          .ifPresent(
              begin ->
                  stretches.add(
                      Map.of(
                          "lane", "instance " + begin.instance() + ", " + order,
                          "from", (begin.nanos() - first) / 1_000,
                          "to",
                              (find(all, order, ENDS).map(Mark::nanos).orElse(last) - first)
                                  / 1_000)));
    }
    return Map.of(
        "broken", half.expectedToBreak(),
        "verdict", verdict(half),
        "wrong", half.isBroken(),
        "lanes", stretches);
  }

  private static Optional<Mark> find(List<Mark> marks, String order, List<String> points) {
    return marks.stream()
        .filter(mark -> mark.order().equals(order) && points.contains(mark.point()))
        .findFirst();
  }
}
