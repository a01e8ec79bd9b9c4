package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.Numbers;
import io.lockkeeper.lab.report.ResultsPart;
import io.lockkeeper.lab.report.SettingList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results of a run as Markdown: what most readers ask for; the rest is in its JSON. */
final class Page {

  private final Results results;
  private final StringBuilder text = new StringBuilder();

  Page(Results results) {
    this.results = results;
  }

  /** Writes the results into their page in a folder, and returns the page. */
  Path write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Path page = folder.resolve(results.setting().site().page() + ".md");
    ResultsPart.write(page, "Benchmarks on " + results.setting().site().label(), text());
    return page;
  }

  private String text() {
    setting(results.setting());
    contests("Exclusive locks", locks());
    contests("Other synchronizers", synchronizers());
    if (!results.handOvers().isEmpty()) {
      handOvers();
    }
    return text.toString();
  }

  private void setting(Setting setting) {
    SettingList list = new SettingList();
    list.add("command", "`" + setting.command() + "`");
    list.add("machine", setting.machine());
    list.add("JDK", jdk(setting));
    list.add("server", setting.server());
    list.add("libraries", versions(setting));
    list.add("turns", turns(setting));
    if (!results.contests(Kind.FLEET_LOCK_FAR, Work.ORDER).isEmpty()) {
      list.add("far away", Numbers.threeDigits(setting.delayMillis()) + " ms each way");
    }
    list.add("load average before", Numbers.threeDigits(setting.loadBefore()));
    add(list.toString());
  }

  static String jdk(Setting setting) {
    return setting.jdk() + ", workers with `" + setting.jvmOptions() + "`";
  }

  static String turns(Setting setting) {
    return "%d of %s s, warm-up %s s"
        .formatted(setting.rounds(), setting.secondsPerTurn(), setting.secondsOfWarmUp());
  }

  /** Returns the versions of the libraries and drivers that take part. */
  private String versions(Setting setting) {
    Set<String> products =
        results.contests().stream()
            .flatMap(contest -> contest.standings().stream())
            .map(standing -> standing.contender().product().product())
            .collect(Collectors.toSet());
    products.addAll(setting.site().drivers());
    return versions(setting, products::contains);
  }

  static String versions(Setting setting, Predicate<String> isShown) {
    return setting.versions().entrySet().stream()
        .filter(e -> isShown.test(e.getKey()))
        .map(e -> e.getKey() + " " + e.getValue())
        .collect(Collectors.joining(", "));
  }

  private Stream<ContestResult> locks() {
    return Stream.of(
            results.contests(Kind.FLEET_LOCK, Work.ORDER),
            results.contests(Kind.FLEET_LOCK_FAR, Work.ORDER),
            fewAndMost(1, Work.ORDER),
            fewAndMost(2, Work.NONE),
            results.contests(Kind.UNCONTENDED, Work.NONE),
            results.contests(Kind.FLEET_LOCKS, Work.NONE))
        .flatMap(List::stream);
  }

  /** Returns the contests for one lock of so few threads, and of the most. */
  private List<ContestResult> fewAndMost(int few, Work work) {
    List<ContestResult> all = results.contests(Kind.ONE_LOCK, work);
    return all.stream()
        .filter(it -> it.threads() == few || it.equals(all.get(all.size() - 1)))
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
        .flatMap(kind -> results.contests(kind, Work.NONE).stream());
  }

  private void contests(String title, Stream<ContestResult> contests) {
    List<ContestResult> all = contests.toList();
    if (!all.isEmpty()) {
      heading(title);
      add(ContestTable.of(all));
    }
  }

  private void handOvers() {
    heading("Hand-off to another client");
    MarkdownTable table = new MarkdownTable("from unlock to lock", "p50", "p99");
    for (HandOverResult result : results.handOvers()) {
      if (result.contender() != Contender.LOCKKEEPER_EACH) {
        table.row(
            result.contender().label(), median(result), Numbers.time(result.latency().p99Micros()));
      }
    }
    add(table.toString());
    results.handOvers().forEach(it -> add(ContestTable.problems(it.contender(), it.problems())));
  }

  /** Returns the median, with those of the fastest and the slowest round. */
  private static String median(HandOverResult result) {
    double median = result.latency().p50Micros();
    double[] rounds = result.rounds().stream().mapToDouble(Latency::p50Micros).sorted().toArray();
    return rounds.length == 0
        ? Numbers.time(median)
        : Numbers.spread(median, rounds[0], rounds[rounds.length - 1]);
  }

  private void heading(String title) {
    add("\n## " + title + "\n\n");
  }

  private void add(String markdown) {
    text.append(markdown);
  }
}
