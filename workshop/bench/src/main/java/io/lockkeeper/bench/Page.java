package io.lockkeeper.bench;

import io.lockkeeper.bench.ContestPlan.Work;
import io.lockkeeper.bench.Standing.Latency;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.Numbers;
import io.lockkeeper.lab.report.ResultsPart;
import io.lockkeeper.lab.report.SettingList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Results as Markdown: those of one run in loops, or of the last run of services at each kind of
 * server. They are what most readers ask for; the rest is in the JSON.
 */
final class Page {

  /** The name of the page about services, without suffix, and of the folder of its results. */
  static final String SERVICES = "benchmarks-services";

  private final List<Results> all;
  private final boolean isOfServices;
  private final StringBuilder text = new StringBuilder();

  private Page(List<Results> all, boolean isOfServices) {
    this.all = all;
    this.isOfServices = isOfServices;
  }

  /** Returns where the results of services at a kind of server are, in the folder of the page. */
  static Path servicesFile(Path folder, Site site) {
    return folder.resolve(SERVICES).resolve(site.name().toLowerCase(Locale.ROOT) + ".json");
  }

  /** Writes the results of a run in loops into their page in a folder, and returns the page. */
  static Path write(Path folder, Results results) throws IOException {
    Site site = results.setting().site();
    return new Page(List.of(results), false)
        .write(folder.resolve(site.page() + ".md"), "Benchmarks on " + site.label());
  }

  /** Writes all results of services in a folder into their page, and returns that. */
  static Path writeServices(Path folder) throws IOException {
    List<Results> all = new ArrayList<>();
    for (Site site : Site.values()) {
      Path file = servicesFile(folder, site);
      if (Files.exists(file)) {
        all.add(Results.read(file));
      }
    }
    return new Page(all, true)
        .write(folder.resolve(SERVICES + ".md"), "Locks under the load of services");
  }

  private Path write(Path page, String title) throws IOException {
    Files.createDirectories(page.toAbsolutePath().resolveSibling(""));
    setting();
    if (isOfServices) {
      services(Kind.FEW);
      services(Kind.ONE_NAME);
      idle();
    } else {
      loops("Exclusive locks", locks());
      loops("Other synchronizers", synchronizers());
      handOvers();
    }
    ResultsPart.write(page, title, text.toString());
    return page;
  }

  private void setting() {
    SettingList list = new SettingList();
    add(list, "command", it -> "`" + command(it) + "`");
    add(list, "machine", Setting::machine);
    add(list, "JDK", it -> it.jdk() + ", workers with `" + it.jvmOptions() + "`");
    list.add(
        all.size() > 1 ? "servers" : "server",
        all.stream().map(it -> it.setting().server()).collect(Collectors.joining("; ")));
    add(list, "libraries", this::versions);
    add(
        list,
        "turns",
        it ->
            "%d of %s s, warm-up %s s"
                .formatted(it.rounds(), it.secondsPerTurn(), it.secondsOfWarmUp()));
    if (all.stream().anyMatch(it -> !it.contests(Kind.FLEET_LOCK_FAR, Work.ORDER).isEmpty())) {
      add(list, "far away", it -> Numbers.threeDigits(it.delayMillis()) + " ms each way");
    }
    add(list, "load average before", it -> Numbers.threeDigits(it.loadBefore()));
    text.append(list);
  }

  private void add(SettingList list, String what, Function<Setting, String> value) {
    list.add(what, all, it -> it.setting().site().label(), it -> value.apply(it.setting()));
  }

  private String command(Setting setting) {
    String command = setting.command();
    return isOfServices ? command.replaceFirst("--at \\w+", "--at STORE") : command;
  }

  /** Returns the versions of the libraries and drivers that take part. */
  private String versions(Setting setting) {
    Set<String> products =
        all.stream()
            .flatMap(results -> results.contests().stream())
            .flatMap(contest -> contest.standings().stream())
            .map(standing -> standing.contender().product().product())
            .collect(Collectors.toSet());
    products.addAll(setting.site().drivers());
    return setting.versions().entrySet().stream()
        .filter(it -> isOfServices || products.contains(it.getKey()))
        .map(it -> it.getKey() + " " + it.getValue())
        .collect(Collectors.joining(", "));
  }

  private Stream<ContestResult> locks() {
    return Stream.of(
            all(Kind.FLEET_LOCK, Work.ORDER),
            all(Kind.FLEET_LOCK_FAR, Work.ORDER),
            fewAndMost(1, Work.ORDER),
            fewAndMost(2, Work.NONE),
            all(Kind.UNCONTENDED, Work.NONE),
            all(Kind.FLEET_LOCKS, Work.NONE))
        .flatMap(List::stream);
  }

  private List<ContestResult> all(Kind kind, Work work) {
    return all.get(0).contests(kind, work);
  }

  /** Returns the contests for one lock of so few threads, and of the most. */
  private List<ContestResult> fewAndMost(int few, Work work) {
    List<ContestResult> contests = all(Kind.ONE_LOCK, work);
    return contests.stream()
        .filter(it -> it.threads() == few || it.equals(contests.get(contests.size() - 1)))
        .toList();
  }

  private Stream<ContestResult> synchronizers() {
    return Stream.of(
            Kind.FLEET_READ_LOCKS,
            Kind.READ_TOGETHER,
            Kind.FLEET_WRITE_LOCKS,
            Kind.WRITE,
            Kind.FLEET_SEMAPHORES,
            Kind.SEMAPHORE,
            Kind.COUNTER,
            Kind.LATCH,
            Kind.MULTI_LOCK)
        .flatMap(kind -> all(kind, Work.NONE).stream());
  }

  private void loops(String title, Stream<ContestResult> some) {
    List<ContestResult> contests = some.toList();
    if (contests.isEmpty()) {
      return;
    }
    MarkdownTable table =
        new MarkdownTable("lock", "per second", against(contests), "p50", "p99", "server CPU");
    StringBuilder problems = new StringBuilder();
    for (ContestResult contest : contests) {
      table.title(contest.title());
      for (Standing standing : contest.standings()) {
        if (!standing.rounds().isEmpty() && !isRepeated(contest, standing.contender())) {
          table.row(
              standing.contender().label(),
              "%s (%s–%s)"
                  .formatted(
                      Numbers.count(standing.median(Round::perSecond)),
                      Numbers.count(standing.least(Round::perSecond)),
                      Numbers.count(standing.most(Round::perSecond))),
              rivals(contest, standing)
                  .map(rival -> Numbers.threeDigits(standing.medianRatio(rival, Round::perSecond)))
                  .findFirst()
                  .orElse(""),
              Numbers.time(standing.latency().p50Micros()),
              Numbers.time(standing.latency().p99Micros()),
              Numbers.time(standing.median(Round::serverCpuMicros)));
        }
        problems.append(problems(standing));
      }
    }
    add(title, table, problems);
  }

  /** Returns whether the lock that goes to the store each time stands for this one, too. */
  private static boolean isRepeated(ContestResult contest, Contender contender) {
    return contender == Contender.LOCKKEEPER_LOCK
        && contest.threadsEach() == 1
        && contest.standing(Contender.LOCKKEEPER_EACH).isPresent();
  }

  private static Stream<Standing> rivals(ContestResult contest, Standing standing) {
    return standing.contender().rivals().stream().map(contest::standing).flatMap(Optional::stream);
  }

  /** Returns the heading of the column that compares. */
  private static String against(List<ContestResult> contests) {
    return contests.stream()
        .flatMap(contest -> contest.standings().stream().flatMap(it -> rivals(contest, it)))
        .map(rival -> "times " + rival.contender().product().label() + "'s")
        .findFirst()
        .orElse("times others'");
  }

  private void handOvers() {
    List<HandOverResult> results = all.get(0).handOvers();
    if (results.isEmpty()) {
      return;
    }
    MarkdownTable table = new MarkdownTable("from unlock to lock", "p50", "p99");
    StringBuilder problems = new StringBuilder();
    for (HandOverResult result : results) {
      if (result.contender() != Contender.LOCKKEEPER_EACH) {
        table.row(
            result.contender().label(), median(result), Numbers.time(result.latency().p99Micros()));
      }
      problems.append(problems(result.contender(), result.problems()));
    }
    add("Hand-off to another client", table, problems);
  }

  /** Returns the median, with those of the fastest and the slowest round. */
  private static String median(HandOverResult result) {
    double median = result.latency().p50Micros();
    double[] rounds = result.rounds().stream().mapToDouble(Latency::p50Micros).sorted().toArray();
    return rounds.length == 0
        ? Numbers.time(median)
        : Numbers.spread(median, rounds[0], rounds[rounds.length - 1]);
  }

  private void services(Kind kind) {
    boolean isOneName = kind.names == 1;
    String headings =
        "lock|per second|wait p50|p99" + (isOneName ? "|max|held" : "") + "|client|server";
    MarkdownTable table = new MarkdownTable(headings.split("\\|"));
    StringBuilder problems = new StringBuilder();
    boolean isEmpty = true;
    for (Results results : all) {
      for (ContestResult contest : results.contests(kind, Work.NONE)) {
        isEmpty = false;
        table.title(results.setting().site().label());
        for (Standing standing : contest.standings()) {
          if (!standing.rounds().isEmpty()) {
            table.row(serviceCells(standing, isOneName).toArray(String[]::new));
          }
          problems.append(problems(standing));
        }
      }
    }
    if (!isEmpty) {
      add(kind.title(0, 0), table, problems);
    }
  }

  private static List<String> serviceCells(Standing it, boolean isOneName) {
    List<String> cells = new ArrayList<>();
    cells.add(it.contender().label());
    cells.add(Numbers.count(it.median(Round::perSecond)));
    cells.add(spread(it, it.latency().p50Micros(), round -> round.latency().p50Micros()));
    cells.add(spread(it, it.latency().p99Micros(), round -> round.latency().p99Micros()));
    if (isOneName) {
      cells.add(Numbers.time(it.latency().maxMicros()));
      cells.add(Numbers.percent(it.median(Round::heldShare)));
    }
    cells.add(spread(it, it.median(Round::clientCpuMicros), Round::clientCpuMicros));
    cells.add(spread(it, it.median(Round::serverCpuMicros), Round::serverCpuMicros));
    return cells;
  }

  private static String spread(Standing standing, double micros, ToDoubleFunction<Round> figure) {
    return Numbers.spread(micros, standing.least(figure), standing.most(figure));
  }

  private void idle() {
    List<Results> measured = all.stream().filter(it -> !it.idle().isEmpty()).toList();
    if (measured.isEmpty()) {
      return;
    }
    MarkdownTable table =
        new MarkdownTable(
            "each of %d clients".formatted(measured.get(0).idle().get(0).clients()),
            "threads",
            "heap, bytes",
            "wake-ups/s",
            "processor/s");
    StringBuilder problems = new StringBuilder();
    for (Results results : measured) {
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
        problems.append(problems(it.contender(), it.problems()));
      }
    }
    add("Idle clients", table, problems);
  }

  private void add(String title, MarkdownTable table, CharSequence problems) {
    text.append("\n## ").append(title).append("\n\n").append(table).append(problems);
  }

  private static String problems(Standing standing) {
    long lost = standing.sum(Round::lostOrders);
    return problems(standing.contender(), standing.problems())
        + (lost == 0
            ? ""
            : "\n* %s: %d orders lost\n".formatted(standing.contender().label(), lost));
  }

  /** Returns the first sentence of each problem as a list. */
  private static String problems(Contender contender, List<String> problems) {
    return problems.stream()
        .map(it -> "\n* " + contender.label() + ": `" + it.replaceFirst("\\. .*", "") + "`\n")
        .collect(Collectors.joining());
  }
}
