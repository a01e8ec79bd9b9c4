package io.lockkeeper.bench.simulated;

import io.lockkeeper.bench.OutFolder;
import io.lockkeeper.bench.coordinator.Progress;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.Numbers;
import io.lockkeeper.lab.report.ResultsPart;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Simulates ten thousand clients, and writes a page. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs many clients on many locks in virtual time: messages for each acquisition, and waits.",
      "A seed and a commit repeat it exactly, on any machine; it takes minutes."
    })
public final class SimulateCommand implements Callable<Integer> {

  private static final int ENOUGH_CLIENTS = 10_000;
  private static final int ENOUGH_NAMES = 1_000_000;
  private static final int HOT_NAMES = 100;
  private static final double HOT_SHARE = 0.1;
  private static final int THINK_MILLIS = 1_000;
  private static final int HOLD_MILLIS = 10;
  private static final int TIMES = 20;

  @Option(names = "--clients", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
  private int clients = ENOUGH_CLIENTS;

  @Option(names = "--names", paramLabel = "N", description = "locks; default: ${DEFAULT-VALUE}")
  private int names = ENOUGH_NAMES;

  @Option(
      names = "--latency",
      paramLabel = "MICROS",
      description =
          "how long a message is on its way at least; some take twice as long (default:"
              + " ${DEFAULT-VALUE})")
  private int latencyMicros = 250;

  @Option(names = "--seed", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
  private long seed = 1;

  @Mixin private OutFolder out = new OutFolder();

  @Override
  public Integer call() throws Exception {
    boolean isSmall = clients < ENOUGH_CLIENTS || names < ENOUGH_NAMES;
    String why = "They are about " + ENOUGH_CLIENTS + " clients and " + ENOUGH_NAMES + " locks.";
    Path folder = out.pathFor(isSmall ? why : "");
    Progress progress = new Progress(System.out);
    List<Outcome> outcomes = new ArrayList<>();
    for (boolean isFair : new boolean[] {false, true}) {
      for (Crowd.Wish wish : wishes(isFair)) {
        progress.say("%s ...", title(wish));
        outcomes.add(new Crowd(clients, wish, latencyMicros, seed).run());
      }
    }
    String table = table(outcomes);
    System.out.println(table);
    Files.createDirectories(folder);
    ResultsPart.write(
        folder.resolve("scale-simulated.md"),
        "%s clients on %s locks, simulated"
            .formatted(Numbers.count((long) clients), Numbers.count((long) names)),
        "    " + out.commandLine() + "\n\n" + table);
    System.out.println("Report: " + folder.resolve("scale-simulated.md"));
    return 0;
  }

  private List<Crowd.Wish> wishes(boolean isFair) {
    return List.of(
        new Crowd.Wish(names, 0, 0, isFair, TIMES, THINK_MILLIS, HOLD_MILLIS),
        new Crowd.Wish(names, HOT_NAMES, HOT_SHARE, isFair, TIMES, THINK_MILLIS, HOLD_MILLIS),
        new Crowd.Wish(1, 0, 0, isFair, 1, 0, 1));
  }

  private static String title(Crowd.Wish wish) {
    String what = wish.isFair() ? "fairLock" : "lock";
    if (wish.names() == 1) {
      return what + ", all of one name at once, held for " + wish.holdMillis() + " ms";
    }
    String drawn = what + ", drawn from " + Numbers.count((long) wish.names());
    return wish.hotNames() == 0
        ? drawn
        : drawn + ", every tenth from " + Numbers.count((long) wish.hotNames());
  }

  private static String table(List<Outcome> outcomes) {
    MarkdownTable table = new MarkdownTable("what", "messages", "wait p50", "p99", "longest");
    for (Outcome outcome : outcomes) {
      table.row(
          title(outcome.wish()),
          Numbers.threeDigits(outcome.messages()),
          Numbers.time(outcome.p50Micros()),
          Numbers.time(outcome.p99Micros()),
          Numbers.time(outcome.maxMicros()));
    }
    return table.toString();
  }
}
