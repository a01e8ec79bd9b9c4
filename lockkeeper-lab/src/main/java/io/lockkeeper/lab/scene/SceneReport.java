package io.lockkeeper.lab.scene;

import io.lockkeeper.cli.console.Json;
import io.lockkeeper.cli.console.Table;
import io.lockkeeper.lab.oversell.strategy.Points;
import io.lockkeeper.lab.report.Html;
import io.lockkeeper.lab.report.Lanes;
import io.lockkeeper.lab.report.Machine;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.Numbers;
import io.lockkeeper.lab.scene.app.Turns;
import io.lockkeeper.servers.NginxServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The scenes as a table for a terminal, as Markdown, as JSON, and as a page. */
final class SceneReport {

  private static final String[] HEADINGS = {
    "scene", "orders/s", "reported", "p99 ms", "stock left", "sold", "oversold", "broken", "cure"
  };

  private final List<SceneResult> results;
  private final LoadPlan plan;

  SceneReport(List<SceneResult> results, LoadPlan plan) {
    this.results = List.copyOf(results);
    this.plan = plan;
  }

  boolean isAsExpected() {
    return results.stream().allMatch(SceneResult::isAsExpected);
  }

  private static String[] cells(SceneResult result) {
    LoadResult load = result.load();
    boolean loaded = load.done() > 0;
    return new String[] {
      result.scene().name(),
      loaded ? Numbers.count(load.ordersPerSecond()) : "-",
      result.scene().reported().isEmpty() ? "-" : result.scene().reported(),
      loaded ? Numbers.millis(load.p99Nanos()) : "-",
      loaded ? Numbers.count(load.books().stockLeft()) : "-",
      loaded ? Numbers.count(load.books().sold()) : "-",
      loaded ? Numbers.count(result.oversold()) : "-",
      verdict(result.broken()),
      verdict(result.cure())
    };
  }

  private static String verdict(HalfResult half) {
    return half.verdict() + (half.isAsExpected() ? "" : " (NOT AS EXPECTED)");
  }

  /** Returns what is behind the figures. */
  private List<String> facts() {
    List<String> facts = new ArrayList<>();
    facts.add(
        plan.users()
            + " users x "
            + plan.orders()
            + " orders on a stock of "
            + plan.stock()
            + ", over HTTP to two instances, "
            + (NginxServer.isInstalled()
                ? "through nginx"
                : "in turn by the users themselves: nginx is not installed")
            + "; all on this machine");
    facts.add("reported: figures of others on other machines, good for the order among them alone");
    facts.add("machine: " + Machine.here().inALine());
    for (SceneResult result : results) {
      result
          .load()
          .refused()
          .forEach((said, count) -> facts.add(result.scene().name() + ": " + count + " x " + said));
    }
    return facts;
  }

  List<String> text() {
    Table table = new Table(HEADINGS);
    results.forEach(result -> table.row((Object[]) cells(result)));
    return Stream.of(
            Stream.of(""),
            table.lines().stream(),
            Stream.of(""),
            facts().stream(),
            Stream.of(
                isAsExpected()
                    ? "Each fault broke what it should, and no cure."
                    : "FAILED: see NOT AS EXPECTED above."))
        .flatMap(lines -> lines)
        .toList();
  }

  String markdown() {
    MarkdownTable table = new MarkdownTable(HEADINGS);
    results.forEach(result -> table.row(cells(result)));
    return table
        + "\n"
        + facts().stream().map(fact -> "* " + fact + "\n").collect(Collectors.joining());
  }

  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("users", plan.users());
    all.put("orders", plan.orders());
    all.put("stock", plan.stock());
    all.put("seed", plan.seed());
    all.put("nginx", NginxServer.isInstalled());
    all.put("scenes", results.stream().map(SceneReport::json).toList());
    return Json.write(all);
  }

  private static Map<String, Object> json(SceneResult result) {
    Map<String, Object> scene = new LinkedHashMap<>();
    scene.put("name", result.scene().name());
    scene.put("strategy", result.scene().strategy());
    scene.put("reported", result.scene().reported());
    scene.put("ordersDone", result.load().done());
    scene.put("seconds", result.load().elapsedNanos() / 1e9);
    scene.put("p99Millis", result.load().p99Nanos() / 1e6);
    scene.put("stockLeft", result.load().books().stockLeft());
    scene.put("sold", result.load().books().sold());
    scene.put("oversold", result.oversold());
    scene.put("refused", result.load().refused());
    scene.put("fault", result.scene().fault().summary());
    scene.put("broken", json(result.broken()));
    scene.put("cure", json(result.cure()));
    return scene;
  }

  private static Map<String, Object> json(HalfResult half) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("strategy", half.strategy());
    map.put("oversold", half.oversold());
    map.put("what", half.what());
    map.put("asExpected", half.isAsExpected());
    return map;
  }

  String html() {
    StringBuilder rows = new StringBuilder(Html.row("th", List.of(HEADINGS)));
    StringBuilder lanes = new StringBuilder();
    for (SceneResult result : results) {
      rows.append(Html.row("td", List.of(cells(result))));
      lanes
          .append("<h2>")
          .append(Html.escape(result.scene().name() + ": " + result.scene().about()))
          .append("</h2>\n<p>")
          .append(Html.escape(result.scene().fault().summary()))
          .append(".</p>\n")
          .append(lanes(result.broken()))
          .append(lanes(result.cure()));
    }
    return Html.page(
        SceneReport.class,
        "scene-report.html",
        Map.of("table", rows.toString(), "facts", Html.list(facts()), "lanes", lanes.toString()));
  }

  /** Draws who was inside when; an order that never ended ends with the last that happened. */
  private static String lanes(HalfResult half) {
    Lanes lanes = new Lanes(half.verdict());
    long last = half.marks().stream().mapToLong(Mark::nanos).max().orElse(0);
    Map<String, List<Mark>> orders =
        half.marks().stream()
            .collect(Collectors.groupingBy(Mark::order, LinkedHashMap::new, Collectors.toList()));
    orders.forEach(
        (order, marks) ->
            begin(marks)
                .ifPresent(
                    begin ->
                        lanes.add(
                            "instance " + marks.get(0).instance() + ", " + order,
                            begin.nanos(),
                            end(marks, last))));
    return lanes.draw();
  }

  private static Optional<Mark> begin(List<Mark> marks) {
    return marks.stream()
        .filter(mark -> List.of(Points.ENTERED, Points.READ, Points.FIRST).contains(mark.point()))
        .findFirst();
  }

  private static long end(List<Mark> marks, long last) {
    return marks.stream()
        .filter(mark -> List.of(Points.LEAVING, Turns.ENDED).contains(mark.point()))
        .mapToLong(Mark::nanos)
        .findFirst()
        .orElse(last);
  }
}
