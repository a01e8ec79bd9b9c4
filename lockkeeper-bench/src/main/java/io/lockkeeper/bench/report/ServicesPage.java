package io.lockkeeper.bench.report;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.bench.results.IdleResult;
import io.lockkeeper.bench.results.ResultFiles;
import io.lockkeeper.bench.results.ServiceResult;
import io.lockkeeper.bench.results.ServiceRound;
import io.lockkeeper.bench.results.ServiceRow;
import io.lockkeeper.bench.results.ServiceStanding;
import io.lockkeeper.bench.results.ServicesResults;
import io.lockkeeper.bench.results.Setting;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The page about services: the last run at each kind of server. */
public final class ServicesPage {

  /** The name of the page, without suffix, and of the folder of its results. */
  public static final String NAME = "benchmarks-services";

  private static final String OPENING =
      """
      # Locks under the load of services

      A service asks for a lock, works, and goes away. Here each thread pauses for a random time, from zero to twice the
      mean, draws a name, asks for its lock, holds it, and gives it back. This page is made by the runs themselves; do not
      edit it.

      * *2 x 10* is two clients of ten threads each. All clients of a lock are in as many processes as the setting says;
        each library has its own, which it keeps. It has looped through the load without pauses first. Then the contenders
        take turns, each of which runs for a second before it is measured. All have the same pauses and names.
      * *driver alone* is the floor: a lock that has an owner, a lease and a token that grows, and neither queue nor renewal
        nor re-entrancy. One request takes it, one gives it back.
      * *wait* is the time from asking to having. Percentiles are over all turns; in brackets are those of the turns
        with the least and the most. All other figures are medians of the turns.
      * *held* is the share of the time for which the lock was held: what is missing is the way from one client to the
        next, and the time in which nobody wanted it.
      * *client* and *server* are processor time for an acquisition and its release, with pauses and all else that the
        processes do. *switches* are voluntary context switches of the clients' threads; the pause is one, and so is the
        hold. *bytes* are allocated on the heap of the clients.
      * *per client* are the acquisitions of the clients that got fewest and most.
      """;

  private ServicesPage() {}

  /** Returns where the results of a kind of server are, in the folder of the page. */
  public static Path file(Path folder, Site site) {
    return folder.resolve(NAME).resolve(site.name().toLowerCase(Locale.ROOT) + ".json");
  }

  /** Makes the page of all results that are in a folder, and returns it. */
  public static String write(Path folder) throws IOException {
    StringBuilder page = new StringBuilder(OPENING);
    for (Site site : Site.values()) {
      Path file = file(folder, site);
      if (Files.exists(file)) {
        page.append(section(ResultFiles.readServices(file)));
      }
    }
    Files.writeString(folder.resolve(NAME + ".md"), page);
    return page.toString();
  }

  private static String section(ServicesResults results) {
    StringBuilder text = new StringBuilder();
    text.append("\n## ").append(results.setting().site().label()).append("\n\n");
    if (results.wasTooShort()) {
      text.append("**").append(ServicesResults.TOO_SHORT).append("**\n\n");
    }
    text.append(setting(results));
    results.rows().forEach(row -> text.append(row(row)));
    if (!results.idle().isEmpty()) {
      text.append(idle(results.idle()));
    }
    return text.toString();
  }

  private static String setting(ServicesResults results) {
    Setting setting = results.setting();
    MarkdownTable table = new MarkdownTable("setting", "");
    table.row("command", "`" + setting.command() + "`");
    table.row("machine", setting.machine());
    table.row("JDK", setting.jdk() + ", workers with `" + setting.jvmOptions() + "`");
    table.row("server", setting.server());
    table.row("libraries", Page.versions(setting.versions()));
    table.row(
        "turns",
        setting.rounds()
            + " of "
            + setting.secondsPerTurn()
            + " s, after "
            + setting.secondsOfWarmUp()
            + " s of loops");
    table.row("processes of each library", String.valueOf(results.processes()));
    table.row("seed", String.valueOf(results.seed()));
    table.row("load average before the run", Numbers.threeDigits(setting.loadBefore()));
    table.row("length of the run", setting.durationSeconds() + " s");
    return table.toString();
  }

  private static String row(ServiceResult result) {
    ServiceRow row = result.row();
    MarkdownTable table =
        new MarkdownTable(
            row.clients() + " x " + row.threads(),
            "acquisitions/s",
            "wait p50",
            "p90",
            "p99",
            "max",
            "held",
            "client",
            "server",
            "switches",
            "bytes",
            "per client");
    List<ServiceStanding> measured =
        result.standings().stream().filter(it -> !it.rounds().isEmpty()).toList();
    for (ServiceStanding it : measured) {
      table.row(
          it.contender().label(),
          Numbers.count(it.median(ServiceRound::perSecond)),
          spread(it, it.waits().p50Micros(), round -> round.waits().p50Micros()),
          spread(it, it.waits().p90Micros(), round -> round.waits().p90Micros()),
          spread(it, it.waits().p99Micros(), round -> round.waits().p99Micros()),
          Numbers.time(it.waits().maxMicros()),
          row.names() == 1 ? Numbers.percent(it.median(ServiceRound::heldShare)) : "",
          spread(it, it.median(ServiceRound::clientCpuMicros), ServiceRound::clientCpuMicros),
          spread(it, it.median(ServiceRound::serverCpuMicros), ServiceRound::serverCpuMicros),
          Numbers.threeDigits(it.median(ServiceRound::switches)),
          Numbers.count(it.median(ServiceRound::bytes)),
          Numbers.count(it.median(ServiceRound::least))
              + " to "
              + Numbers.count(it.median(ServiceRound::most)));
    }
    return "\n### " + row.title() + "\n\n" + table + problems(result.standings());
  }

  private static String spread(
      ServiceStanding standing, double micros, ToDoubleFunction<ServiceRound> figure) {
    return Numbers.time(micros)
        + " ("
        + Numbers.time(standing.least(figure))
        + " to "
        + Numbers.time(standing.most(figure))
        + ")";
  }

  private static String problems(List<ServiceStanding> standings) {
    return standings.stream()
        .map(
            it ->
                ContestTables.problems(it.contender(), it.problems())
                    + overlaps(it.contender(), it.overlaps()))
        .collect(Collectors.joining());
  }

  private static String overlaps(Contender contender, long count) {
    return count == 0
        ? ""
        : "\n* " + contender.label() + ": two threads inside at once, " + count + " times\n";
  }

  private static String idle(List<IdleResult> results) {
    MarkdownTable table =
        new MarkdownTable(
            "an idle client", "threads", "heap", "wake-ups/s", "processor/s", "allocated/s");
    StringBuilder problems = new StringBuilder();
    for (IdleResult it : results) {
      if (it.problems().isEmpty()) {
        table.row(
            it.contender().label(),
            Numbers.threeDigits(it.threads()),
            Numbers.count(it.heapBytes()) + " bytes",
            Numbers.threeDigits(it.wakeUpsPerSecond()),
            Numbers.time(it.cpuMicrosPerSecond()),
            Numbers.count(it.bytesPerSecond()) + " bytes");
      }
      problems.append(ContestTables.problems(it.contender(), it.problems()));
    }
    return """

    ### Idle clients

    %d clients of one process that have used a lock once and do nothing now; what they add to the process, for each of them.

    """
            .formatted(results.get(0).clients())
        + table
        + problems;
  }
}
