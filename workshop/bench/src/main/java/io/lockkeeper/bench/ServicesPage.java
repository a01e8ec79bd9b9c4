package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.Numbers;
import io.lockkeeper.lab.report.ResultsPart;
import io.lockkeeper.lab.report.SettingList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The page about services: the last run at each kind of server. */
final class ServicesPage {

  /** The name of the page, without suffix, and of the folder of its results. */
  static final String NAME = "benchmarks-services";

  private ServicesPage() {}

  /** Returns where the results of a kind of server are, in the folder of the page. */
  static Path file(Path folder, Site site) {
    return folder.resolve(NAME).resolve(site.name().toLowerCase(Locale.ROOT) + ".json");
  }

  /** Writes all results that are in a folder into the page, and returns that. */
  static Path write(Path folder) throws IOException {
    List<Results> all = new ArrayList<>();
    for (Site site : Site.values()) {
      Path file = file(folder, site);
      if (Files.exists(file)) {
        all.add(Results.read(file));
      }
    }
    Path page = folder.resolve(NAME + ".md");
    ResultsPart.write(page, "Locks under the load of services", text(all));
    return page;
  }

  private static String text(List<Results> all) {
    StringBuilder text = new StringBuilder();
    text.append(setting(all));
    for (Kind row : List.of(Kind.FEW, Kind.ONE_NAME)) {
      if (all.stream().anyMatch(it -> !it.contests(row, Work.NONE).isEmpty())) {
        text.append(row(row, all));
      }
    }
    List<Results> idle = all.stream().filter(it -> !it.idle().isEmpty()).toList();
    if (!idle.isEmpty()) {
      text.append(idle(idle));
    }
    return text.toString();
  }

  private static String setting(List<Results> all) {
    SettingList list = new SettingList();
    add(
        list,
        "command",
        all,
        it -> "`" + it.command().replaceFirst("--at \\w+", "--at STORE") + "`");
    add(list, "machine", all, Setting::machine);
    add(list, "JDK", all, Page::jdk);
    list.add(
        "servers", all.stream().map(it -> it.setting().server()).collect(Collectors.joining("; ")));
    add(list, "libraries", all, it -> Page.versions(it, product -> true));
    add(list, "turns", all, Page::turns);
    add(list, "load average before", all, it -> Numbers.threeDigits(it.loadBefore()));
    return list.toString();
  }

  private static void add(
      SettingList list, String what, List<Results> all, Function<Setting, String> value) {
    Map<String, String> values = new LinkedHashMap<>();
    all.forEach(it -> values.put(it.setting().site().label(), value.apply(it.setting())));
    list.add(what, values);
  }

  private static String row(Kind row, List<Results> all) {
    MarkdownTable table =
        new MarkdownTable(
            cells(
                row,
                List.of("lock", "per second", "wait p50", "p99"),
                List.of("max", "held"),
                List.of("client", "server")));
    StringBuilder problems = new StringBuilder();
    for (Results results : all) {
      for (ContestResult result : results.contests(row, Work.NONE)) {
        table.title(results.setting().site().label());
        for (Standing it : result.standings()) {
          if (!it.rounds().isEmpty()) {
            row(table, row, it);
          }
          problems.append(ContestTable.problems(it));
        }
      }
    }
    return "\n## " + row.title(0, 0) + "\n\n" + table + problems;
  }

  private static void row(MarkdownTable table, Kind row, Standing it) {
    table.row(
        cells(
            row,
            List.of(
                it.contender().label(),
                Numbers.count(it.median(Round::perSecond)),
                spread(it, it.latency().p50Micros(), round -> round.latency().p50Micros()),
                spread(it, it.latency().p99Micros(), round -> round.latency().p99Micros())),
            List.of(
                Numbers.time(it.latency().maxMicros()),
                Numbers.percent(it.median(Round::heldShare))),
            List.of(
                spread(it, it.median(Round::clientCpuMicros), Round::clientCpuMicros),
                spread(it, it.median(Round::serverCpuMicros), Round::serverCpuMicros))));
  }

  private static String[] cells(
      Kind row, List<String> first, List<String> ifOneName, List<String> last) {
    List<String> cells = new ArrayList<>(first);
    if (row.names() == 1) {
      cells.addAll(ifOneName);
    }
    cells.addAll(last);
    return cells.toArray(String[]::new);
  }

  private static String spread(Standing standing, double micros, ToDoubleFunction<Round> figure) {
    return Numbers.spread(micros, standing.least(figure), standing.most(figure));
  }

  private static String idle(List<Results> all) {
    MarkdownTable table =
        new MarkdownTable(
            "each of %d clients".formatted(all.get(0).idle().get(0).clients()),
            "threads",
            "heap, bytes",
            "wake-ups/s",
            "processor/s");
    StringBuilder problems = new StringBuilder();
    for (Results results : all) {
      table.title(results.setting().site().label());
      for (IdleResult it : results.idle()) {
        if (it.problems().isEmpty()) {
          table.row(
              it.contender().label(),
              Numbers.threeDigits(it.threads()),
              Numbers.count(it.heapBytes()),
              Numbers.threeDigits(it.wakeUpsPerSecond()),
              Numbers.time(it.cpuMicrosPerSecond()));
        }
        problems.append(ContestTable.problems(it.contender(), it.problems()));
      }
    }
    return "\n## Idle clients\n\n" + table + problems;
  }
}
